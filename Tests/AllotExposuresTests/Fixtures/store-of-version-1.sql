-- A store of exposures that the version of 48ed605 wrote: its tables, rows and application ID.
BEGIN;
PRAGMA application_id = 1097624687;
CREATE TABLE event (
    id TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;
INSERT INTO "event" VALUES('event-1');
INSERT INTO "event" VALUES('event-10');
INSERT INTO "event" VALUES('event-100');
INSERT INTO "event" VALUES('event-101');
INSERT INTO "event" VALUES('event-103');
INSERT INTO "event" VALUES('event-104');
INSERT INTO "event" VALUES('event-106');
INSERT INTO "event" VALUES('event-107');
INSERT INTO "event" VALUES('event-109');
INSERT INTO "event" VALUES('event-11');
INSERT INTO "event" VALUES('event-110');
INSERT INTO "event" VALUES('event-112');
INSERT INTO "event" VALUES('event-113');
INSERT INTO "event" VALUES('event-115');
INSERT INTO "event" VALUES('event-116');
INSERT INTO "event" VALUES('event-118');
INSERT INTO "event" VALUES('event-119');
INSERT INTO "event" VALUES('event-121');
INSERT INTO "event" VALUES('event-122');
INSERT INTO "event" VALUES('event-124');
INSERT INTO "event" VALUES('event-125');
INSERT INTO "event" VALUES('event-127');
INSERT INTO "event" VALUES('event-128');
INSERT INTO "event" VALUES('event-13');
INSERT INTO "event" VALUES('event-130');
INSERT INTO "event" VALUES('event-131');
INSERT INTO "event" VALUES('event-133');
INSERT INTO "event" VALUES('event-134');
INSERT INTO "event" VALUES('event-136');
INSERT INTO "event" VALUES('event-137');
INSERT INTO "event" VALUES('event-139');
INSERT INTO "event" VALUES('event-14');
INSERT INTO "event" VALUES('event-140');
INSERT INTO "event" VALUES('event-142');
INSERT INTO "event" VALUES('event-143');
INSERT INTO "event" VALUES('event-145');
INSERT INTO "event" VALUES('event-146');
INSERT INTO "event" VALUES('event-148');
INSERT INTO "event" VALUES('event-149');
INSERT INTO "event" VALUES('event-151');
INSERT INTO "event" VALUES('event-152');
INSERT INTO "event" VALUES('event-154');
INSERT INTO "event" VALUES('event-155');
INSERT INTO "event" VALUES('event-157');
INSERT INTO "event" VALUES('event-158');
INSERT INTO "event" VALUES('event-16');
INSERT INTO "event" VALUES('event-160');
INSERT INTO "event" VALUES('event-161');
INSERT INTO "event" VALUES('event-163');
INSERT INTO "event" VALUES('event-164');
INSERT INTO "event" VALUES('event-166');
INSERT INTO "event" VALUES('event-167');
INSERT INTO "event" VALUES('event-169');
INSERT INTO "event" VALUES('event-17');
INSERT INTO "event" VALUES('event-170');
INSERT INTO "event" VALUES('event-172');
INSERT INTO "event" VALUES('event-173');
INSERT INTO "event" VALUES('event-175');
INSERT INTO "event" VALUES('event-176');
INSERT INTO "event" VALUES('event-178');
INSERT INTO "event" VALUES('event-179');
INSERT INTO "event" VALUES('event-181');
INSERT INTO "event" VALUES('event-182');
INSERT INTO "event" VALUES('event-184');
INSERT INTO "event" VALUES('event-185');
INSERT INTO "event" VALUES('event-187');
INSERT INTO "event" VALUES('event-188');
INSERT INTO "event" VALUES('event-19');
INSERT INTO "event" VALUES('event-190');
INSERT INTO "event" VALUES('event-191');
INSERT INTO "event" VALUES('event-193');
INSERT INTO "event" VALUES('event-194');
INSERT INTO "event" VALUES('event-196');
INSERT INTO "event" VALUES('event-197');
INSERT INTO "event" VALUES('event-199');
INSERT INTO "event" VALUES('event-2');
INSERT INTO "event" VALUES('event-20');
INSERT INTO "event" VALUES('event-200');
INSERT INTO "event" VALUES('event-202');
INSERT INTO "event" VALUES('event-203');
INSERT INTO "event" VALUES('event-205');
INSERT INTO "event" VALUES('event-206');
INSERT INTO "event" VALUES('event-208');
INSERT INTO "event" VALUES('event-209');
INSERT INTO "event" VALUES('event-211');
INSERT INTO "event" VALUES('event-212');
INSERT INTO "event" VALUES('event-214');
INSERT INTO "event" VALUES('event-215');
INSERT INTO "event" VALUES('event-217');
INSERT INTO "event" VALUES('event-218');
INSERT INTO "event" VALUES('event-22');
INSERT INTO "event" VALUES('event-220');
INSERT INTO "event" VALUES('event-221');
INSERT INTO "event" VALUES('event-223');
INSERT INTO "event" VALUES('event-224');
INSERT INTO "event" VALUES('event-226');
INSERT INTO "event" VALUES('event-227');
INSERT INTO "event" VALUES('event-229');
INSERT INTO "event" VALUES('event-23');
INSERT INTO "event" VALUES('event-230');
INSERT INTO "event" VALUES('event-232');
INSERT INTO "event" VALUES('event-233');
INSERT INTO "event" VALUES('event-235');
INSERT INTO "event" VALUES('event-236');
INSERT INTO "event" VALUES('event-238');
INSERT INTO "event" VALUES('event-239');
INSERT INTO "event" VALUES('event-241');
INSERT INTO "event" VALUES('event-242');
INSERT INTO "event" VALUES('event-244');
INSERT INTO "event" VALUES('event-245');
INSERT INTO "event" VALUES('event-247');
INSERT INTO "event" VALUES('event-248');
INSERT INTO "event" VALUES('event-25');
INSERT INTO "event" VALUES('event-250');
INSERT INTO "event" VALUES('event-251');
INSERT INTO "event" VALUES('event-253');
INSERT INTO "event" VALUES('event-254');
INSERT INTO "event" VALUES('event-256');
INSERT INTO "event" VALUES('event-257');
INSERT INTO "event" VALUES('event-259');
INSERT INTO "event" VALUES('event-26');
INSERT INTO "event" VALUES('event-260');
INSERT INTO "event" VALUES('event-262');
INSERT INTO "event" VALUES('event-263');
INSERT INTO "event" VALUES('event-265');
INSERT INTO "event" VALUES('event-266');
INSERT INTO "event" VALUES('event-268');
INSERT INTO "event" VALUES('event-269');
INSERT INTO "event" VALUES('event-271');
INSERT INTO "event" VALUES('event-272');
INSERT INTO "event" VALUES('event-274');
INSERT INTO "event" VALUES('event-275');
INSERT INTO "event" VALUES('event-277');
INSERT INTO "event" VALUES('event-278');
INSERT INTO "event" VALUES('event-28');
INSERT INTO "event" VALUES('event-280');
INSERT INTO "event" VALUES('event-281');
INSERT INTO "event" VALUES('event-283');
INSERT INTO "event" VALUES('event-284');
INSERT INTO "event" VALUES('event-286');
INSERT INTO "event" VALUES('event-287');
INSERT INTO "event" VALUES('event-289');
INSERT INTO "event" VALUES('event-29');
INSERT INTO "event" VALUES('event-290');
INSERT INTO "event" VALUES('event-292');
INSERT INTO "event" VALUES('event-293');
INSERT INTO "event" VALUES('event-295');
INSERT INTO "event" VALUES('event-296');
INSERT INTO "event" VALUES('event-298');
INSERT INTO "event" VALUES('event-299');
INSERT INTO "event" VALUES('event-31');
INSERT INTO "event" VALUES('event-32');
INSERT INTO "event" VALUES('event-34');
INSERT INTO "event" VALUES('event-35');
INSERT INTO "event" VALUES('event-37');
INSERT INTO "event" VALUES('event-38');
INSERT INTO "event" VALUES('event-4');
INSERT INTO "event" VALUES('event-40');
INSERT INTO "event" VALUES('event-41');
INSERT INTO "event" VALUES('event-43');
INSERT INTO "event" VALUES('event-44');
INSERT INTO "event" VALUES('event-46');
INSERT INTO "event" VALUES('event-47');
INSERT INTO "event" VALUES('event-49');
INSERT INTO "event" VALUES('event-5');
INSERT INTO "event" VALUES('event-50');
INSERT INTO "event" VALUES('event-52');
INSERT INTO "event" VALUES('event-53');
INSERT INTO "event" VALUES('event-55');
INSERT INTO "event" VALUES('event-56');
INSERT INTO "event" VALUES('event-58');
INSERT INTO "event" VALUES('event-59');
INSERT INTO "event" VALUES('event-61');
INSERT INTO "event" VALUES('event-62');
INSERT INTO "event" VALUES('event-64');
INSERT INTO "event" VALUES('event-65');
INSERT INTO "event" VALUES('event-67');
INSERT INTO "event" VALUES('event-68');
INSERT INTO "event" VALUES('event-7');
INSERT INTO "event" VALUES('event-70');
INSERT INTO "event" VALUES('event-71');
INSERT INTO "event" VALUES('event-73');
INSERT INTO "event" VALUES('event-74');
INSERT INTO "event" VALUES('event-76');
INSERT INTO "event" VALUES('event-77');
INSERT INTO "event" VALUES('event-79');
INSERT INTO "event" VALUES('event-8');
INSERT INTO "event" VALUES('event-80');
INSERT INTO "event" VALUES('event-82');
INSERT INTO "event" VALUES('event-83');
INSERT INTO "event" VALUES('event-85');
INSERT INTO "event" VALUES('event-86');
INSERT INTO "event" VALUES('event-88');
INSERT INTO "event" VALUES('event-89');
INSERT INTO "event" VALUES('event-91');
INSERT INTO "event" VALUES('event-92');
INSERT INTO "event" VALUES('event-94');
INSERT INTO "event" VALUES('event-95');
INSERT INTO "event" VALUES('event-97');
INSERT INTO "event" VALUES('event-98');
CREATE TABLE experiment (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE
) STRICT;
INSERT INTO "experiment" VALUES(1,'buy-button');
INSERT INTO "experiment" VALUES(2,'checkout-text');
INSERT INTO "experiment" VALUES(3,'prices.2026');
INSERT INTO "experiment" VALUES(4,'ключ');
CREATE TABLE exposure (
    experiment INTEGER NOT NULL,
    at INTEGER NOT NULL,
    unit TEXT NOT NULL,
    variant INTEGER NOT NULL,
    attributes TEXT,
    PRIMARY KEY (experiment, at, unit, variant)
) STRICT, WITHOUT ROWID;
INSERT INTO "exposure" VALUES(1,1794999970000,'user 0',1,'{"configuration_age":0,"reason":"split","revision":"1f0c2a3b4c5d6e7f","source":"remote"}');
INSERT INTO "exposure" VALUES(1,1795000720000,'Jürgen 58',5,'{"reason":"winner"}');
INSERT INTO "exposure" VALUES(1,1795001440000,'üser 26',9,'{"reason":"forced","revision":"0000000000000002","source":"bootstrap"}');
INSERT INTO "exposure" VALUES(1,1795001650000,'a,"b" 12',1,'{"configuration_age":12,"reason":"split","revision":"1f0c2a3b4c5d6e7f","source":"remote"}');
INSERT INTO "exposure" VALUES(1,1795002400000,'line
break 70',5,'{"reason":"winner"}');
INSERT INTO "exposure" VALUES(1,1795003330000,'ユーザー 24',1,'{"configuration_age":24,"reason":"split","revision":"1f0c2a3b4c5d6e7f","source":"remote"}');
INSERT INTO "exposure" VALUES(1,1795004080000,'🙂 82',5,'{"reason":"winner"}');
INSERT INTO "exposure" VALUES(1,1795005010000,'Jürgen 36',1,'{"configuration_age":36,"reason":"split","revision":"1f0c2a3b4c5d6e7f","source":"remote"}');
INSERT INTO "exposure" VALUES(1,1795005760000,'üser 4',5,'{"reason":"winner"}');
INSERT INTO "exposure" VALUES(1,1795006720000,'line
break 48',1,'{"configuration_age":48,"reason":"split","revision":"1f0c2a3b4c5d6e7f","source":"remote"}');
INSERT INTO "exposure" VALUES(1,1795007440000,'user 16',5,'{"reason":"winner"}');
INSERT INTO "exposure" VALUES(1,1795008400000,'🙂 60',1,'{"configuration_age":60,"reason":"split","revision":"1f0c2a3b4c5d6e7f","source":"remote"}');
INSERT INTO "exposure" VALUES(1,1795009120000,'a,"b" 28',5,'{"reason":"winner"}');
INSERT INTO "exposure" VALUES(1,1795010080000,'üser 72',1,'{"configuration_age":72,"reason":"split","revision":"1f0c2a3b4c5d6e7f","source":"remote"}');
INSERT INTO "exposure" VALUES(1,1795010800000,'ユーザー 40',5,'{"reason":"winner"}');
INSERT INTO "exposure" VALUES(1,1795011760000,'user 84',1,'{"configuration_age":84,"reason":"split","revision":"1f0c2a3b4c5d6e7f","source":"remote"}');
INSERT INTO "exposure" VALUES(1,1795012480000,'Jürgen 52',5,'{"reason":"winner"}');
INSERT INTO "exposure" VALUES(1,1795013440000,'a,"b" 6',1,'{"configuration_age":96,"reason":"split","revision":"1f0c2a3b4c5d6e7f","source":"remote"}');
INSERT INTO "exposure" VALUES(1,1795014160000,'line
break 64',5,'{"reason":"winner"}');
INSERT INTO "exposure" VALUES(1,1795015120000,'ユーザー 18',1,'{"configuration_age":108,"reason":"split","revision":"1f0c2a3b4c5d6e7f","source":"remote"}');
INSERT INTO "exposure" VALUES(1,1795015840000,'🙂 76',5,'{"reason":"winner"}');
INSERT INTO "exposure" VALUES(1,1795016800000,'Jürgen 30',1,'{"configuration_age":120,"reason":"split","revision":"1f0c2a3b4c5d6e7f","source":"remote"}');
INSERT INTO "exposure" VALUES(1,1795017520000,'üser 88',5,'{"reason":"winner"}');
INSERT INTO "exposure" VALUES(1,1795018480000,'line
break 42',1,'{"configuration_age":132,"reason":"split","revision":"1f0c2a3b4c5d6e7f","source":"remote"}');
INSERT INTO "exposure" VALUES(1,1795019200000,'user 10',5,'{"reason":"winner"}');
INSERT INTO "exposure" VALUES(1,1795020160000,'🙂 54',1,'{"configuration_age":144,"reason":"split","revision":"1f0c2a3b4c5d6e7f","source":"remote"}');
INSERT INTO "exposure" VALUES(1,1795020880000,'a,"b" 22',5,'{"reason":"winner"}');
INSERT INTO "exposure" VALUES(1,1795021090000,'Jürgen 8',9,'{"reason":"forced","revision":"0000000000000002","source":"bootstrap"}');
INSERT INTO "exposure" VALUES(1,1795021840000,'üser 66',1,'{"configuration_age":156,"reason":"split","revision":"1f0c2a3b4c5d6e7f","source":"remote"}');
INSERT INTO "exposure" VALUES(1,1795022770000,'line
break 20',9,'{"reason":"forced","revision":"0000000000000002","source":"bootstrap"}');
INSERT INTO "exposure" VALUES(1,1795023520000,'user 78',1,'{"configuration_age":168,"reason":"split","revision":"1f0c2a3b4c5d6e7f","source":"remote"}');
INSERT INTO "exposure" VALUES(1,1795024450000,'🙂 32',9,'{"reason":"forced","revision":"0000000000000002","source":"bootstrap"}');
INSERT INTO "exposure" VALUES(1,1795025200000,'a,"b" 0',1,'{"configuration_age":180,"reason":"split","revision":"1f0c2a3b4c5d6e7f","source":"remote"}');
INSERT INTO "exposure" VALUES(1,1795026160000,'üser 44',9,'{"reason":"forced","revision":"0000000000000002","source":"bootstrap"}');
INSERT INTO "exposure" VALUES(1,1795026880000,'ユーザー 12',1,'{"configuration_age":192,"reason":"split","revision":"1f0c2a3b4c5d6e7f","source":"remote"}');
INSERT INTO "exposure" VALUES(1,1795027840000,'user 56',9,'{"reason":"forced","revision":"0000000000000002","source":"bootstrap"}');
INSERT INTO "exposure" VALUES(1,1795028560000,'Jürgen 24',1,'{"configuration_age":204,"reason":"split","revision":"1f0c2a3b4c5d6e7f","source":"remote"}');
INSERT INTO "exposure" VALUES(1,1795029520000,'a,"b" 68',9,'{"reason":"forced","revision":"0000000000000002","source":"bootstrap"}');
INSERT INTO "exposure" VALUES(1,1795030240000,'line
break 36',1,'{"configuration_age":216,"reason":"split","revision":"1f0c2a3b4c5d6e7f","source":"remote"}');
INSERT INTO "exposure" VALUES(1,1795031200000,'ユーザー 80',9,'{"reason":"forced","revision":"0000000000000002","source":"bootstrap"}');
INSERT INTO "exposure" VALUES(1,1795031920000,'🙂 48',1,'{"configuration_age":228,"reason":"split","revision":"1f0c2a3b4c5d6e7f","source":"remote"}');
INSERT INTO "exposure" VALUES(1,1795032880000,'Jürgen 2',9,'{"reason":"forced","revision":"0000000000000002","source":"bootstrap"}');
INSERT INTO "exposure" VALUES(1,1795033600000,'üser 60',1,'{"configuration_age":240,"reason":"split","revision":"1f0c2a3b4c5d6e7f","source":"remote"}');
INSERT INTO "exposure" VALUES(1,1795034560000,'line
break 14',9,'{"reason":"forced","revision":"0000000000000002","source":"bootstrap"}');
INSERT INTO "exposure" VALUES(1,1795035280000,'user 72',1,'{"configuration_age":252,"reason":"split","revision":"1f0c2a3b4c5d6e7f","source":"remote"}');
INSERT INTO "exposure" VALUES(1,1795036240000,'🙂 26',9,'{"reason":"forced","revision":"0000000000000002","source":"bootstrap"}');
INSERT INTO "exposure" VALUES(1,1795036960000,'a,"b" 84',1,'{"configuration_age":264,"reason":"split","revision":"1f0c2a3b4c5d6e7f","source":"remote"}');
INSERT INTO "exposure" VALUES(1,1795037920000,'üser 38',9,'{"reason":"forced","revision":"0000000000000002","source":"bootstrap"}');
INSERT INTO "exposure" VALUES(1,1795038640000,'ユーザー 6',1,'{"configuration_age":276,"reason":"split","revision":"1f0c2a3b4c5d6e7f","source":"remote"}');
INSERT INTO "exposure" VALUES(1,1795039600000,'user 50',9,'{"reason":"forced","revision":"0000000000000002","source":"bootstrap"}');
INSERT INTO "exposure" VALUES(1,1795040320000,'Jürgen 18',1,'{"configuration_age":288,"reason":"split","revision":"1f0c2a3b4c5d6e7f","source":"remote"}');
INSERT INTO "exposure" VALUES(1,1795040530000,'🙂 4',5,'{"reason":"winner"}');
INSERT INTO "exposure" VALUES(1,1795041280000,'a,"b" 62',9,'{"reason":"forced","revision":"0000000000000002","source":"bootstrap"}');
INSERT INTO "exposure" VALUES(1,1795042210000,'üser 16',5,'{"reason":"winner"}');
INSERT INTO "exposure" VALUES(1,1795042960000,'ユーザー 74',9,'{"reason":"forced","revision":"0000000000000002","source":"bootstrap"}');
INSERT INTO "exposure" VALUES(1,1795043890000,'user 28',5,'{"reason":"winner"}');
INSERT INTO "exposure" VALUES(1,1795044640000,'Jürgen 86',9,'{"reason":"forced","revision":"0000000000000002","source":"bootstrap"}');
INSERT INTO "exposure" VALUES(1,1795045600000,'a,"b" 40',5,'{"reason":"winner"}');
INSERT INTO "exposure" VALUES(1,1795046320000,'line
break 8',9,'{"reason":"forced","revision":"0000000000000002","source":"bootstrap"}');
INSERT INTO "exposure" VALUES(1,1795047280000,'ユーザー 52',5,'{"reason":"winner"}');
INSERT INTO "exposure" VALUES(1,1795048000000,'🙂 20',9,'{"reason":"forced","revision":"0000000000000002","source":"bootstrap"}');
INSERT INTO "exposure" VALUES(1,1795048960000,'Jürgen 64',5,'{"reason":"winner"}');
INSERT INTO "exposure" VALUES(1,1795049680000,'üser 32',9,'{"reason":"forced","revision":"0000000000000002","source":"bootstrap"}');
INSERT INTO "exposure" VALUES(1,1795050640000,'line
break 76',5,'{"reason":"winner"}');
INSERT INTO "exposure" VALUES(1,1795051360000,'user 44',9,'{"reason":"forced","revision":"0000000000000002","source":"bootstrap"}');
INSERT INTO "exposure" VALUES(1,1795052320000,'🙂 88',5,'{"reason":"winner"}');
INSERT INTO "exposure" VALUES(1,1795053040000,'a,"b" 56',9,'{"reason":"forced","revision":"0000000000000002","source":"bootstrap"}');
INSERT INTO "exposure" VALUES(1,1795054000000,'üser 10',5,'{"reason":"winner"}');
INSERT INTO "exposure" VALUES(1,1795054720000,'ユーザー 68',9,'{"reason":"forced","revision":"0000000000000002","source":"bootstrap"}');
INSERT INTO "exposure" VALUES(1,1795055680000,'user 22',5,'{"reason":"winner"}');
INSERT INTO "exposure" VALUES(1,1795056400000,'Jürgen 80',9,'{"reason":"forced","revision":"0000000000000002","source":"bootstrap"}');
INSERT INTO "exposure" VALUES(1,1795057360000,'a,"b" 34',5,'{"reason":"winner"}');
INSERT INTO "exposure" VALUES(1,1795058080000,'line
break 2',9,'{"reason":"forced","revision":"0000000000000002","source":"bootstrap"}');
INSERT INTO "exposure" VALUES(1,1795059040000,'ユーザー 46',5,'{"reason":"winner"}');
INSERT INTO "exposure" VALUES(1,1795059760000,'🙂 14',9,'{"reason":"forced","revision":"0000000000000002","source":"bootstrap"}');
INSERT INTO "exposure" VALUES(2,1795000150000,'üser 37',2,'{"override":true,"reason":"override","revision":"1f0c2a3b4c5d6e7f","source":"stored"}');
INSERT INTO "exposure" VALUES(2,1795000900000,'ユーザー 5',6,NULL);
INSERT INTO "exposure" VALUES(2,1795001860000,'user 49',2,'{"override":true,"reason":"override","revision":"1f0c2a3b4c5d6e7f","source":"stored"}');
INSERT INTO "exposure" VALUES(2,1795002580000,'Jürgen 17',6,NULL);
INSERT INTO "exposure" VALUES(2,1795003540000,'a,"b" 61',2,'{"override":true,"reason":"override","revision":"1f0c2a3b4c5d6e7f","source":"stored"}');
INSERT INTO "exposure" VALUES(2,1795004260000,'line
break 29',6,NULL);
INSERT INTO "exposure" VALUES(2,1795005220000,'ユーザー 73',2,'{"override":true,"reason":"override","revision":"1f0c2a3b4c5d6e7f","source":"stored"}');
INSERT INTO "exposure" VALUES(2,1795005940000,'🙂 41',6,NULL);
INSERT INTO "exposure" VALUES(2,1795006900000,'Jürgen 85',2,'{"override":true,"reason":"override","revision":"1f0c2a3b4c5d6e7f","source":"stored"}');
INSERT INTO "exposure" VALUES(2,1795007620000,'üser 53',6,NULL);
INSERT INTO "exposure" VALUES(2,1795008580000,'line
break 7',2,'{"override":true,"reason":"override","revision":"1f0c2a3b4c5d6e7f","source":"stored"}');
INSERT INTO "exposure" VALUES(2,1795009300000,'user 65',6,NULL);
INSERT INTO "exposure" VALUES(2,1795010260000,'🙂 19',2,'{"override":true,"reason":"override","revision":"1f0c2a3b4c5d6e7f","source":"stored"}');
INSERT INTO "exposure" VALUES(2,1795010980000,'a,"b" 77',6,NULL);
INSERT INTO "exposure" VALUES(2,1795011940000,'üser 31',2,'{"override":true,"reason":"override","revision":"1f0c2a3b4c5d6e7f","source":"stored"}');
INSERT INTO "exposure" VALUES(2,1795012660000,'ユーザー 89',6,NULL);
INSERT INTO "exposure" VALUES(2,1795013620000,'user 43',2,'{"override":true,"reason":"override","revision":"1f0c2a3b4c5d6e7f","source":"stored"}');
INSERT INTO "exposure" VALUES(2,1795014340000,'Jürgen 11',6,NULL);
INSERT INTO "exposure" VALUES(2,1795015300000,'a,"b" 55',2,'{"override":true,"reason":"override","revision":"1f0c2a3b4c5d6e7f","source":"stored"}');
INSERT INTO "exposure" VALUES(2,1795016020000,'line
break 23',6,NULL);
INSERT INTO "exposure" VALUES(2,1795016230000,'üser 9',10,'{"country":"DE","name":"Zoë 🙂","seats":12}');
INSERT INTO "exposure" VALUES(2,1795016980000,'ユーザー 67',2,'{"override":true,"reason":"override","revision":"1f0c2a3b4c5d6e7f","source":"stored"}');
INSERT INTO "exposure" VALUES(2,1795017910000,'user 21',10,'{"country":"DE","name":"Zoë 🙂","seats":12}');
INSERT INTO "exposure" VALUES(2,1795018660000,'Jürgen 79',2,'{"override":true,"reason":"override","revision":"1f0c2a3b4c5d6e7f","source":"stored"}');
INSERT INTO "exposure" VALUES(2,1795019590000,'a,"b" 33',10,'{"country":"DE","name":"Zoë 🙂","seats":12}');
INSERT INTO "exposure" VALUES(2,1795020340000,'line
break 1',2,'{"override":true,"reason":"override","revision":"1f0c2a3b4c5d6e7f","source":"stored"}');
INSERT INTO "exposure" VALUES(2,1795021300000,'ユーザー 45',10,'{"country":"DE","name":"Zoë 🙂","seats":12}');
INSERT INTO "exposure" VALUES(2,1795022020000,'🙂 13',2,'{"override":true,"reason":"override","revision":"1f0c2a3b4c5d6e7f","source":"stored"}');
INSERT INTO "exposure" VALUES(2,1795022980000,'Jürgen 57',10,'{"country":"DE","name":"Zoë 🙂","seats":12}');
INSERT INTO "exposure" VALUES(2,1795023700000,'üser 25',2,'{"override":true,"reason":"override","revision":"1f0c2a3b4c5d6e7f","source":"stored"}');
INSERT INTO "exposure" VALUES(2,1795024660000,'line
break 69',10,'{"country":"DE","name":"Zoë 🙂","seats":12}');
INSERT INTO "exposure" VALUES(2,1795025380000,'user 37',2,'{"override":true,"reason":"override","revision":"1f0c2a3b4c5d6e7f","source":"stored"}');
INSERT INTO "exposure" VALUES(2,1795026340000,'🙂 81',10,'{"country":"DE","name":"Zoë 🙂","seats":12}');
INSERT INTO "exposure" VALUES(2,1795027060000,'a,"b" 49',2,'{"override":true,"reason":"override","revision":"1f0c2a3b4c5d6e7f","source":"stored"}');
INSERT INTO "exposure" VALUES(2,1795028020000,'üser 3',10,'{"country":"DE","name":"Zoë 🙂","seats":12}');
INSERT INTO "exposure" VALUES(2,1795028740000,'ユーザー 61',2,'{"override":true,"reason":"override","revision":"1f0c2a3b4c5d6e7f","source":"stored"}');
INSERT INTO "exposure" VALUES(2,1795029700000,'user 15',10,'{"country":"DE","name":"Zoë 🙂","seats":12}');
INSERT INTO "exposure" VALUES(2,1795030420000,'Jürgen 73',2,'{"override":true,"reason":"override","revision":"1f0c2a3b4c5d6e7f","source":"stored"}');
INSERT INTO "exposure" VALUES(2,1795031380000,'a,"b" 27',10,'{"country":"DE","name":"Zoë 🙂","seats":12}');
INSERT INTO "exposure" VALUES(2,1795032100000,'line
break 85',2,'{"override":true,"reason":"override","revision":"1f0c2a3b4c5d6e7f","source":"stored"}');
INSERT INTO "exposure" VALUES(2,1795033060000,'ユーザー 39',10,'{"country":"DE","name":"Zoë 🙂","seats":12}');
INSERT INTO "exposure" VALUES(2,1795033780000,'🙂 7',2,'{"override":true,"reason":"override","revision":"1f0c2a3b4c5d6e7f","source":"stored"}');
INSERT INTO "exposure" VALUES(2,1795034740000,'Jürgen 51',10,'{"country":"DE","name":"Zoë 🙂","seats":12}');
INSERT INTO "exposure" VALUES(2,1795035460000,'üser 19',2,'{"override":true,"reason":"override","revision":"1f0c2a3b4c5d6e7f","source":"stored"}');
INSERT INTO "exposure" VALUES(2,1795035670000,'a,"b" 5',6,NULL);
INSERT INTO "exposure" VALUES(2,1795036420000,'line
break 63',10,'{"country":"DE","name":"Zoë 🙂","seats":12}');
INSERT INTO "exposure" VALUES(2,1795037350000,'ユーザー 17',6,NULL);
INSERT INTO "exposure" VALUES(2,1795038100000,'🙂 75',10,'{"country":"DE","name":"Zoë 🙂","seats":12}');
INSERT INTO "exposure" VALUES(2,1795039030000,'Jürgen 29',6,NULL);
INSERT INTO "exposure" VALUES(2,1795039780000,'üser 87',10,'{"country":"DE","name":"Zoë 🙂","seats":12}');
INSERT INTO "exposure" VALUES(2,1795040740000,'line
break 41',6,NULL);
INSERT INTO "exposure" VALUES(2,1795041460000,'user 9',10,'{"country":"DE","name":"Zoë 🙂","seats":12}');
INSERT INTO "exposure" VALUES(2,1795042420000,'🙂 53',6,NULL);
INSERT INTO "exposure" VALUES(2,1795043140000,'a,"b" 21',10,'{"country":"DE","name":"Zoë 🙂","seats":12}');
INSERT INTO "exposure" VALUES(2,1795044100000,'üser 65',6,NULL);
INSERT INTO "exposure" VALUES(2,1795044820000,'ユーザー 33',10,'{"country":"DE","name":"Zoë 🙂","seats":12}');
INSERT INTO "exposure" VALUES(2,1795045780000,'user 77',6,NULL);
INSERT INTO "exposure" VALUES(2,1795046500000,'Jürgen 45',10,'{"country":"DE","name":"Zoë 🙂","seats":12}');
INSERT INTO "exposure" VALUES(2,1795047460000,'a,"b" 89',6,NULL);
INSERT INTO "exposure" VALUES(2,1795048180000,'line
break 57',10,'{"country":"DE","name":"Zoë 🙂","seats":12}');
INSERT INTO "exposure" VALUES(2,1795049140000,'ユーザー 11',6,NULL);
INSERT INTO "exposure" VALUES(2,1795049860000,'🙂 69',10,'{"country":"DE","name":"Zoë 🙂","seats":12}');
INSERT INTO "exposure" VALUES(2,1795050820000,'Jürgen 23',6,NULL);
INSERT INTO "exposure" VALUES(2,1795051540000,'üser 81',10,'{"country":"DE","name":"Zoë 🙂","seats":12}');
INSERT INTO "exposure" VALUES(2,1795052500000,'line
break 35',6,NULL);
INSERT INTO "exposure" VALUES(2,1795053220000,'user 3',10,'{"country":"DE","name":"Zoë 🙂","seats":12}');
INSERT INTO "exposure" VALUES(2,1795054180000,'🙂 47',6,NULL);
INSERT INTO "exposure" VALUES(2,1795054900000,'a,"b" 15',10,'{"country":"DE","name":"Zoë 🙂","seats":12}');
INSERT INTO "exposure" VALUES(2,1795055110000,'Jürgen 1',2,'{"override":true,"reason":"override","revision":"1f0c2a3b4c5d6e7f","source":"stored"}');
INSERT INTO "exposure" VALUES(2,1795055860000,'üser 59',6,NULL);
INSERT INTO "exposure" VALUES(2,1795056580000,'ユーザー 27',10,'{"country":"DE","name":"Zoë 🙂","seats":12}');
INSERT INTO "exposure" VALUES(2,1795056790000,'line
break 13',2,'{"override":true,"reason":"override","revision":"1f0c2a3b4c5d6e7f","source":"stored"}');
INSERT INTO "exposure" VALUES(2,1795057540000,'user 71',6,NULL);
INSERT INTO "exposure" VALUES(2,1795058470000,'🙂 25',2,'{"override":true,"reason":"override","revision":"1f0c2a3b4c5d6e7f","source":"stored"}');
INSERT INTO "exposure" VALUES(2,1795059220000,'a,"b" 83',6,NULL);
INSERT INTO "exposure" VALUES(3,1795000360000,'🙂 74',3,'{"reason":"forced","revision":"0000000000000002","source":"bootstrap"}');
INSERT INTO "exposure" VALUES(3,1795001080000,'a,"b" 42',7,'{"configuration_age":222,"reason":"split","revision":"1f0c2a3b4c5d6e7f","source":"remote"}');
INSERT INTO "exposure" VALUES(3,1795002040000,'üser 86',3,'{"reason":"forced","revision":"0000000000000002","source":"bootstrap"}');
INSERT INTO "exposure" VALUES(3,1795002760000,'ユーザー 54',7,'{"configuration_age":234,"reason":"split","revision":"1f0c2a3b4c5d6e7f","source":"remote"}');
INSERT INTO "exposure" VALUES(3,1795003720000,'user 8',3,'{"reason":"forced","revision":"0000000000000002","source":"bootstrap"}');
INSERT INTO "exposure" VALUES(3,1795004440000,'Jürgen 66',7,'{"configuration_age":246,"reason":"split","revision":"1f0c2a3b4c5d6e7f","source":"remote"}');
INSERT INTO "exposure" VALUES(3,1795005400000,'a,"b" 20',3,'{"reason":"forced","revision":"0000000000000002","source":"bootstrap"}');
INSERT INTO "exposure" VALUES(3,1795006120000,'line
break 78',7,'{"configuration_age":258,"reason":"split","revision":"1f0c2a3b4c5d6e7f","source":"remote"}');
INSERT INTO "exposure" VALUES(3,1795007080000,'ユーザー 32',3,'{"reason":"forced","revision":"0000000000000002","source":"bootstrap"}');
INSERT INTO "exposure" VALUES(3,1795007800000,'🙂 0',7,'{"configuration_age":270,"reason":"split","revision":"1f0c2a3b4c5d6e7f","source":"remote"}');
INSERT INTO "exposure" VALUES(3,1795008760000,'Jürgen 44',3,'{"reason":"forced","revision":"0000000000000002","source":"bootstrap"}');
INSERT INTO "exposure" VALUES(3,1795009480000,'üser 12',7,'{"configuration_age":282,"reason":"split","revision":"1f0c2a3b4c5d6e7f","source":"remote"}');
INSERT INTO "exposure" VALUES(3,1795010440000,'line
break 56',3,'{"reason":"forced","revision":"0000000000000002","source":"bootstrap"}');
INSERT INTO "exposure" VALUES(3,1795011160000,'user 24',7,'{"configuration_age":294,"reason":"split","revision":"1f0c2a3b4c5d6e7f","source":"remote"}');
INSERT INTO "exposure" VALUES(3,1795011370000,'ユーザー 10',11,'{"reason":"winner"}');
INSERT INTO "exposure" VALUES(3,1795012120000,'🙂 68',3,'{"reason":"forced","revision":"0000000000000002","source":"bootstrap"}');
INSERT INTO "exposure" VALUES(3,1795013050000,'Jürgen 22',11,'{"reason":"winner"}');
INSERT INTO "exposure" VALUES(3,1795013800000,'üser 80',3,'{"reason":"forced","revision":"0000000000000002","source":"bootstrap"}');
INSERT INTO "exposure" VALUES(3,1795014730000,'line
break 34',11,'{"reason":"winner"}');
INSERT INTO "exposure" VALUES(3,1795015480000,'user 2',3,'{"reason":"forced","revision":"0000000000000002","source":"bootstrap"}');
INSERT INTO "exposure" VALUES(3,1795016440000,'🙂 46',11,'{"reason":"winner"}');
INSERT INTO "exposure" VALUES(3,1795017160000,'a,"b" 14',3,'{"reason":"forced","revision":"0000000000000002","source":"bootstrap"}');
INSERT INTO "exposure" VALUES(3,1795018120000,'üser 58',11,'{"reason":"winner"}');
INSERT INTO "exposure" VALUES(3,1795018840000,'ユーザー 26',3,'{"reason":"forced","revision":"0000000000000002","source":"bootstrap"}');
INSERT INTO "exposure" VALUES(3,1795019800000,'user 70',11,'{"reason":"winner"}');
INSERT INTO "exposure" VALUES(3,1795020520000,'Jürgen 38',3,'{"reason":"forced","revision":"0000000000000002","source":"bootstrap"}');
INSERT INTO "exposure" VALUES(3,1795021480000,'a,"b" 82',11,'{"reason":"winner"}');
INSERT INTO "exposure" VALUES(3,1795022200000,'line
break 50',3,'{"reason":"forced","revision":"0000000000000002","source":"bootstrap"}');
INSERT INTO "exposure" VALUES(3,1795023160000,'ユーザー 4',11,'{"reason":"winner"}');
INSERT INTO "exposure" VALUES(3,1795023880000,'🙂 62',3,'{"reason":"forced","revision":"0000000000000002","source":"bootstrap"}');
INSERT INTO "exposure" VALUES(3,1795024840000,'Jürgen 16',11,'{"reason":"winner"}');
INSERT INTO "exposure" VALUES(3,1795025560000,'üser 74',3,'{"reason":"forced","revision":"0000000000000002","source":"bootstrap"}');
INSERT INTO "exposure" VALUES(3,1795026520000,'line
break 28',11,'{"reason":"winner"}');
INSERT INTO "exposure" VALUES(3,1795027240000,'user 86',3,'{"reason":"forced","revision":"0000000000000002","source":"bootstrap"}');
INSERT INTO "exposure" VALUES(3,1795028200000,'🙂 40',11,'{"reason":"winner"}');
INSERT INTO "exposure" VALUES(3,1795028920000,'a,"b" 8',3,'{"reason":"forced","revision":"0000000000000002","source":"bootstrap"}');
INSERT INTO "exposure" VALUES(3,1795029880000,'üser 52',11,'{"reason":"winner"}');
INSERT INTO "exposure" VALUES(3,1795030600000,'ユーザー 20',3,'{"reason":"forced","revision":"0000000000000002","source":"bootstrap"}');
INSERT INTO "exposure" VALUES(3,1795030810000,'line
break 6',7,'{"configuration_age":6,"reason":"split","revision":"1f0c2a3b4c5d6e7f","source":"remote"}');
INSERT INTO "exposure" VALUES(3,1795031560000,'user 64',11,'{"reason":"winner"}');
INSERT INTO "exposure" VALUES(3,1795032490000,'🙂 18',7,'{"configuration_age":18,"reason":"split","revision":"1f0c2a3b4c5d6e7f","source":"remote"}');
INSERT INTO "exposure" VALUES(3,1795033240000,'a,"b" 76',11,'{"reason":"winner"}');
INSERT INTO "exposure" VALUES(3,1795034170000,'üser 30',7,'{"configuration_age":30,"reason":"split","revision":"1f0c2a3b4c5d6e7f","source":"remote"}');
INSERT INTO "exposure" VALUES(3,1795034920000,'ユーザー 88',11,'{"reason":"winner"}');
INSERT INTO "exposure" VALUES(3,1795035880000,'user 42',7,'{"configuration_age":42,"reason":"split","revision":"1f0c2a3b4c5d6e7f","source":"remote"}');
INSERT INTO "exposure" VALUES(3,1795036600000,'Jürgen 10',11,'{"reason":"winner"}');
INSERT INTO "exposure" VALUES(3,1795037560000,'a,"b" 54',7,'{"configuration_age":54,"reason":"split","revision":"1f0c2a3b4c5d6e7f","source":"remote"}');
INSERT INTO "exposure" VALUES(3,1795038280000,'line
break 22',11,'{"reason":"winner"}');
INSERT INTO "exposure" VALUES(3,1795039240000,'ユーザー 66',7,'{"configuration_age":66,"reason":"split","revision":"1f0c2a3b4c5d6e7f","source":"remote"}');
INSERT INTO "exposure" VALUES(3,1795039960000,'🙂 34',11,'{"reason":"winner"}');
INSERT INTO "exposure" VALUES(3,1795040920000,'Jürgen 78',7,'{"configuration_age":78,"reason":"split","revision":"1f0c2a3b4c5d6e7f","source":"remote"}');
INSERT INTO "exposure" VALUES(3,1795041640000,'üser 46',11,'{"reason":"winner"}');
INSERT INTO "exposure" VALUES(3,1795042600000,'line
break 0',7,'{"configuration_age":90,"reason":"split","revision":"1f0c2a3b4c5d6e7f","source":"remote"}');
INSERT INTO "exposure" VALUES(3,1795043320000,'user 58',11,'{"reason":"winner"}');
INSERT INTO "exposure" VALUES(3,1795044280000,'🙂 12',7,'{"configuration_age":102,"reason":"split","revision":"1f0c2a3b4c5d6e7f","source":"remote"}');
INSERT INTO "exposure" VALUES(3,1795045000000,'a,"b" 70',11,'{"reason":"winner"}');
INSERT INTO "exposure" VALUES(3,1795045960000,'üser 24',7,'{"configuration_age":114,"reason":"split","revision":"1f0c2a3b4c5d6e7f","source":"remote"}');
INSERT INTO "exposure" VALUES(3,1795046680000,'ユーザー 82',11,'{"reason":"winner"}');
INSERT INTO "exposure" VALUES(3,1795047640000,'user 36',7,'{"configuration_age":126,"reason":"split","revision":"1f0c2a3b4c5d6e7f","source":"remote"}');
INSERT INTO "exposure" VALUES(3,1795048360000,'Jürgen 4',11,'{"reason":"winner"}');
INSERT INTO "exposure" VALUES(3,1795049320000,'a,"b" 48',7,'{"configuration_age":138,"reason":"split","revision":"1f0c2a3b4c5d6e7f","source":"remote"}');
INSERT INTO "exposure" VALUES(3,1795050040000,'line
break 16',11,'{"reason":"winner"}');
INSERT INTO "exposure" VALUES(3,1795050250000,'üser 2',3,'{"reason":"forced","revision":"0000000000000002","source":"bootstrap"}');
INSERT INTO "exposure" VALUES(3,1795051000000,'ユーザー 60',7,'{"configuration_age":150,"reason":"split","revision":"1f0c2a3b4c5d6e7f","source":"remote"}');
INSERT INTO "exposure" VALUES(3,1795051720000,'🙂 28',11,'{"reason":"winner"}');
INSERT INTO "exposure" VALUES(3,1795051930000,'user 14',3,'{"reason":"forced","revision":"0000000000000002","source":"bootstrap"}');
INSERT INTO "exposure" VALUES(3,1795052680000,'Jürgen 72',7,'{"configuration_age":162,"reason":"split","revision":"1f0c2a3b4c5d6e7f","source":"remote"}');
INSERT INTO "exposure" VALUES(3,1795053610000,'a,"b" 26',3,'{"reason":"forced","revision":"0000000000000002","source":"bootstrap"}');
INSERT INTO "exposure" VALUES(3,1795054360000,'line
break 84',7,'{"configuration_age":174,"reason":"split","revision":"1f0c2a3b4c5d6e7f","source":"remote"}');
INSERT INTO "exposure" VALUES(3,1795055290000,'ユーザー 38',3,'{"reason":"forced","revision":"0000000000000002","source":"bootstrap"}');
INSERT INTO "exposure" VALUES(3,1795056040000,'🙂 6',7,'{"configuration_age":186,"reason":"split","revision":"1f0c2a3b4c5d6e7f","source":"remote"}');
INSERT INTO "exposure" VALUES(3,1795057000000,'Jürgen 50',3,'{"reason":"forced","revision":"0000000000000002","source":"bootstrap"}');
INSERT INTO "exposure" VALUES(3,1795057720000,'üser 18',7,'{"configuration_age":198,"reason":"split","revision":"1f0c2a3b4c5d6e7f","source":"remote"}');
INSERT INTO "exposure" VALUES(3,1795058680000,'line
break 62',3,'{"reason":"forced","revision":"0000000000000002","source":"bootstrap"}');
INSERT INTO "exposure" VALUES(3,1795059400000,'user 30',7,'{"configuration_age":210,"reason":"split","revision":"1f0c2a3b4c5d6e7f","source":"remote"}');
INSERT INTO "exposure" VALUES(4,1795000540000,'line
break 21',4,'{"country":"DE","name":"Zoë 🙂","seats":12}');
INSERT INTO "exposure" VALUES(4,1795001260000,'user 79',8,'{"override":true,"reason":"override","revision":"1f0c2a3b4c5d6e7f","source":"stored"}');
INSERT INTO "exposure" VALUES(4,1795002220000,'🙂 33',4,'{"country":"DE","name":"Zoë 🙂","seats":12}');
INSERT INTO "exposure" VALUES(4,1795002940000,'a,"b" 1',8,'{"override":true,"reason":"override","revision":"1f0c2a3b4c5d6e7f","source":"stored"}');
INSERT INTO "exposure" VALUES(4,1795003900000,'üser 45',4,'{"country":"DE","name":"Zoë 🙂","seats":12}');
INSERT INTO "exposure" VALUES(4,1795004620000,'ユーザー 13',8,'{"override":true,"reason":"override","revision":"1f0c2a3b4c5d6e7f","source":"stored"}');
INSERT INTO "exposure" VALUES(4,1795005580000,'user 57',4,'{"country":"DE","name":"Zoë 🙂","seats":12}');
INSERT INTO "exposure" VALUES(4,1795006300000,'Jürgen 25',8,'{"override":true,"reason":"override","revision":"1f0c2a3b4c5d6e7f","source":"stored"}');
INSERT INTO "exposure" VALUES(4,1795006510000,'🙂 11',12,NULL);
INSERT INTO "exposure" VALUES(4,1795007260000,'a,"b" 69',4,'{"country":"DE","name":"Zoë 🙂","seats":12}');
INSERT INTO "exposure" VALUES(4,1795008190000,'üser 23',12,NULL);
INSERT INTO "exposure" VALUES(4,1795008940000,'ユーザー 81',4,'{"country":"DE","name":"Zoë 🙂","seats":12}');
INSERT INTO "exposure" VALUES(4,1795009870000,'user 35',12,NULL);
INSERT INTO "exposure" VALUES(4,1795010620000,'Jürgen 3',4,'{"country":"DE","name":"Zoë 🙂","seats":12}');
INSERT INTO "exposure" VALUES(4,1795011580000,'a,"b" 47',12,NULL);
INSERT INTO "exposure" VALUES(4,1795012300000,'line
break 15',4,'{"country":"DE","name":"Zoë 🙂","seats":12}');
INSERT INTO "exposure" VALUES(4,1795013260000,'ユーザー 59',12,NULL);
INSERT INTO "exposure" VALUES(4,1795013980000,'🙂 27',4,'{"country":"DE","name":"Zoë 🙂","seats":12}');
INSERT INTO "exposure" VALUES(4,1795014940000,'Jürgen 71',12,NULL);
INSERT INTO "exposure" VALUES(4,1795015660000,'üser 39',4,'{"country":"DE","name":"Zoë 🙂","seats":12}');
INSERT INTO "exposure" VALUES(4,1795016620000,'line
break 83',12,NULL);
INSERT INTO "exposure" VALUES(4,1795017340000,'user 51',4,'{"country":"DE","name":"Zoë 🙂","seats":12}');
INSERT INTO "exposure" VALUES(4,1795018300000,'🙂 5',12,NULL);
INSERT INTO "exposure" VALUES(4,1795019020000,'a,"b" 63',4,'{"country":"DE","name":"Zoë 🙂","seats":12}');
INSERT INTO "exposure" VALUES(4,1795019980000,'üser 17',12,NULL);
INSERT INTO "exposure" VALUES(4,1795020700000,'ユーザー 75',4,'{"country":"DE","name":"Zoë 🙂","seats":12}');
INSERT INTO "exposure" VALUES(4,1795021660000,'user 29',12,NULL);
INSERT INTO "exposure" VALUES(4,1795022380000,'Jürgen 87',4,'{"country":"DE","name":"Zoë 🙂","seats":12}');
INSERT INTO "exposure" VALUES(4,1795023340000,'a,"b" 41',12,NULL);
INSERT INTO "exposure" VALUES(4,1795024060000,'line
break 9',4,'{"country":"DE","name":"Zoë 🙂","seats":12}');
INSERT INTO "exposure" VALUES(4,1795025020000,'ユーザー 53',12,NULL);
INSERT INTO "exposure" VALUES(4,1795025740000,'🙂 21',4,'{"country":"DE","name":"Zoë 🙂","seats":12}');
INSERT INTO "exposure" VALUES(4,1795025950000,'user 7',8,'{"override":true,"reason":"override","revision":"1f0c2a3b4c5d6e7f","source":"stored"}');
INSERT INTO "exposure" VALUES(4,1795026700000,'Jürgen 65',12,NULL);
INSERT INTO "exposure" VALUES(4,1795027630000,'a,"b" 19',8,'{"override":true,"reason":"override","revision":"1f0c2a3b4c5d6e7f","source":"stored"}');
INSERT INTO "exposure" VALUES(4,1795028380000,'line
break 77',12,NULL);
INSERT INTO "exposure" VALUES(4,1795029310000,'ユーザー 31',8,'{"override":true,"reason":"override","revision":"1f0c2a3b4c5d6e7f","source":"stored"}');
INSERT INTO "exposure" VALUES(4,1795030060000,'🙂 89',12,NULL);
INSERT INTO "exposure" VALUES(4,1795031020000,'Jürgen 43',8,'{"override":true,"reason":"override","revision":"1f0c2a3b4c5d6e7f","source":"stored"}');
INSERT INTO "exposure" VALUES(4,1795031740000,'üser 11',12,NULL);
INSERT INTO "exposure" VALUES(4,1795032700000,'line
break 55',8,'{"override":true,"reason":"override","revision":"1f0c2a3b4c5d6e7f","source":"stored"}');
INSERT INTO "exposure" VALUES(4,1795033420000,'user 23',12,NULL);
INSERT INTO "exposure" VALUES(4,1795034380000,'🙂 67',8,'{"override":true,"reason":"override","revision":"1f0c2a3b4c5d6e7f","source":"stored"}');
INSERT INTO "exposure" VALUES(4,1795035100000,'a,"b" 35',12,NULL);
INSERT INTO "exposure" VALUES(4,1795036060000,'üser 79',8,'{"override":true,"reason":"override","revision":"1f0c2a3b4c5d6e7f","source":"stored"}');
INSERT INTO "exposure" VALUES(4,1795036780000,'ユーザー 47',12,NULL);
INSERT INTO "exposure" VALUES(4,1795037740000,'user 1',8,'{"override":true,"reason":"override","revision":"1f0c2a3b4c5d6e7f","source":"stored"}');
INSERT INTO "exposure" VALUES(4,1795038460000,'Jürgen 59',12,NULL);
INSERT INTO "exposure" VALUES(4,1795039420000,'a,"b" 13',8,'{"override":true,"reason":"override","revision":"1f0c2a3b4c5d6e7f","source":"stored"}');
INSERT INTO "exposure" VALUES(4,1795040140000,'line
break 71',12,NULL);
INSERT INTO "exposure" VALUES(4,1795041100000,'ユーザー 25',8,'{"override":true,"reason":"override","revision":"1f0c2a3b4c5d6e7f","source":"stored"}');
INSERT INTO "exposure" VALUES(4,1795041820000,'🙂 83',12,NULL);
INSERT INTO "exposure" VALUES(4,1795042780000,'Jürgen 37',8,'{"override":true,"reason":"override","revision":"1f0c2a3b4c5d6e7f","source":"stored"}');
INSERT INTO "exposure" VALUES(4,1795043500000,'üser 5',12,NULL);
INSERT INTO "exposure" VALUES(4,1795044460000,'line
break 49',8,'{"override":true,"reason":"override","revision":"1f0c2a3b4c5d6e7f","source":"stored"}');
INSERT INTO "exposure" VALUES(4,1795045180000,'user 17',12,NULL);
INSERT INTO "exposure" VALUES(4,1795045390000,'ユーザー 3',4,'{"country":"DE","name":"Zoë 🙂","seats":12}');
INSERT INTO "exposure" VALUES(4,1795046140000,'🙂 61',8,'{"override":true,"reason":"override","revision":"1f0c2a3b4c5d6e7f","source":"stored"}');
INSERT INTO "exposure" VALUES(4,1795046860000,'a,"b" 29',12,NULL);
INSERT INTO "exposure" VALUES(4,1795047070000,'Jürgen 15',4,'{"country":"DE","name":"Zoë 🙂","seats":12}');
INSERT INTO "exposure" VALUES(4,1795047820000,'üser 73',8,'{"override":true,"reason":"override","revision":"1f0c2a3b4c5d6e7f","source":"stored"}');
INSERT INTO "exposure" VALUES(4,1795048750000,'line
break 27',4,'{"country":"DE","name":"Zoë 🙂","seats":12}');
INSERT INTO "exposure" VALUES(4,1795049500000,'user 85',8,'{"override":true,"reason":"override","revision":"1f0c2a3b4c5d6e7f","source":"stored"}');
INSERT INTO "exposure" VALUES(4,1795050430000,'🙂 39',4,'{"country":"DE","name":"Zoë 🙂","seats":12}');
INSERT INTO "exposure" VALUES(4,1795051180000,'a,"b" 7',8,'{"override":true,"reason":"override","revision":"1f0c2a3b4c5d6e7f","source":"stored"}');
INSERT INTO "exposure" VALUES(4,1795052140000,'üser 51',4,'{"country":"DE","name":"Zoë 🙂","seats":12}');
INSERT INTO "exposure" VALUES(4,1795052860000,'ユーザー 19',8,'{"override":true,"reason":"override","revision":"1f0c2a3b4c5d6e7f","source":"stored"}');
INSERT INTO "exposure" VALUES(4,1795053820000,'user 63',4,'{"country":"DE","name":"Zoë 🙂","seats":12}');
INSERT INTO "exposure" VALUES(4,1795054540000,'Jürgen 31',8,'{"override":true,"reason":"override","revision":"1f0c2a3b4c5d6e7f","source":"stored"}');
INSERT INTO "exposure" VALUES(4,1795055500000,'a,"b" 75',4,'{"country":"DE","name":"Zoë 🙂","seats":12}');
INSERT INTO "exposure" VALUES(4,1795056220000,'line
break 43',8,'{"override":true,"reason":"override","revision":"1f0c2a3b4c5d6e7f","source":"stored"}');
INSERT INTO "exposure" VALUES(4,1795057180000,'ユーザー 87',4,'{"country":"DE","name":"Zoë 🙂","seats":12}');
INSERT INTO "exposure" VALUES(4,1795057900000,'🙂 55',8,'{"override":true,"reason":"override","revision":"1f0c2a3b4c5d6e7f","source":"stored"}');
INSERT INTO "exposure" VALUES(4,1795058860000,'Jürgen 9',4,'{"country":"DE","name":"Zoë 🙂","seats":12}');
INSERT INTO "exposure" VALUES(4,1795059580000,'üser 67',8,'{"override":true,"reason":"override","revision":"1f0c2a3b4c5d6e7f","source":"stored"}');
CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
INSERT INTO "grdb_migrations" VALUES('1 exposures');
CREATE TABLE variant (
    id INTEGER PRIMARY KEY,
    experiment INTEGER NOT NULL REFERENCES experiment (id),
    key TEXT NOT NULL,
    UNIQUE (experiment, key)
) STRICT;
INSERT INTO "variant" VALUES(1,1,'control');
INSERT INTO "variant" VALUES(2,2,'control');
INSERT INTO "variant" VALUES(3,3,'control');
INSERT INTO "variant" VALUES(4,4,'control');
INSERT INTO "variant" VALUES(5,1,'green');
INSERT INTO "variant" VALUES(6,2,'green');
INSERT INTO "variant" VALUES(7,3,'green');
INSERT INTO "variant" VALUES(8,4,'green');
INSERT INTO "variant" VALUES(9,1,'grün');
INSERT INTO "variant" VALUES(10,2,'grün');
INSERT INTO "variant" VALUES(11,3,'grün');
INSERT INTO "variant" VALUES(12,4,'grün');
CREATE UNIQUE INDEX exposure_unit ON exposure (experiment, unit, variant);
CREATE INDEX exposure_time ON exposure (at, unit, experiment, variant);
COMMIT;
