# Bash splits words at "=" and ":", which values have: completes whole words, and takes off what bash keeps.
_allot_whole_words() {
    local -a words=("${COMP_WORDS[@]:0:COMP_CWORD}")
    [[ "${COMP_WORDS[COMP_CWORD]}" = [=:]* ]] && words+=("${COMP_WORDS[COMP_CWORD]}")
    words+=("${2}")
    local -a COMP_WORDS=()
    local word sign=""
    for word in "${words[@]}"; do
        if [[ "${word}" = [=:]* || -n "${sign}" ]]; then
            COMP_WORDS[${#COMP_WORDS[@]} - 1]+="${word}"
        else
            COMP_WORDS+=("${word}")
        fi
        [[ "${word}" = [=:]* ]] && sign="${word}" || sign=""
    done
    local current="${COMP_WORDS[${#COMP_WORDS[@]} - 1]}"
    if [[ "${current}" = --*=* ]]; then
        COMP_WORDS[${#COMP_WORDS[@]} - 1]="${current%%=*}"
        current="${current#*=}"
        COMP_WORDS+=("${current}")
    fi
    local -i COMP_CWORD="${#COMP_WORDS[@]} - 1"
    local COMP_LINE="${COMP_WORDS[*]}"
    local -i COMP_POINT="${#COMP_LINE}"
    _allot "${1}" "${current}" "${COMP_WORDS[COMP_CWORD - 1]}"
    COMPREPLY=("${COMPREPLY[@]#"${current%"${2}"}"}")
    [[ "${COMPREPLY[0]}" = *= ]] && compopt -o nospace +o filenames
}

complete -o filenames -F _allot_whole_words allot
