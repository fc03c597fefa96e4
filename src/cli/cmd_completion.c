#include "cli/commands.h"
#include "cli/complete.h"
#include <string.h>

/* Each script hands the words of the line to `weir complete`, and its answers to the shell. */

static const char bash_script[] =
    "# bash completion for weir\n"
    "_weir() {\n"
    "    local line word=${COMP_WORDS[COMP_CWORD]} IFS=$'\\n'\n"
    "    COMPREPLY=()\n"
    "    [ \"$word\" != = ] || word=\n"
    "    for line in $(\"${COMP_WORDS[0]/#\\~/$HOME}\" complete -- "
    "\"${COMP_WORDS[@]:1:COMP_CWORD}\" 2>/dev/null); do\n"
    "        case $line in\n"
    "        :files) compopt -o filenames; COMPREPLY+=($(compgen -f -- \"$word\")) ;;\n"
    "        :directories) compopt -o filenames; COMPREPLY+=($(compgen -d -- \"$word\")) ;;\n"
    "        :commands) COMPREPLY+=($(compgen -c -- \"$word\")) ;;\n"
    "        *) COMPREPLY+=(\"${line%%$'\\t'*}\") ;;\n"
    "        esac\n"
    "    done\n"
    "}\n"
    "complete -F _weir weir\n";

static const char zsh_script[] =
    "#compdef weir\n"
    "_weir() {\n"
    "    local line\n"
    "    local -a plain\n"
    "    for line in \"${(@f)$(${~words[1]} complete -- \"${(@)words[2,CURRENT]}\" "
    "2>/dev/null)}\"; "
    "do\n"
    "        case $line in\n"
    "        :files) _files ;;\n"
    "        :directories) _files -/ ;;\n"
    "        :commands) _command_names -e ;;\n"
    "        ?*) plain+=(\"${${line%%$'\\t'*}//:/\\\\:}:${line#*$'\\t'}\") ;;\n"
    "        esac\n"
    "    done\n"
    "    (( ! $#plain )) || _describe -V weir plain\n"
    "}\n"
    "if [[ $funcstack[1] == _weir ]]; then _weir \"$@\"; else compdef _weir weir; fi\n";

static const char fish_script[] =
    "# fish completion for weir\n"
    "function __weir_complete\n"
    "    set -l words (commandline -opc)\n"
    "    set -l word (commandline -ct | string collect --allow-empty)\n"
    "    for line in (eval $words[1] complete -- (string escape -- $words[2..] $word) "
    "2>/dev/null)\n"
    "        switch $line\n"
    "            case :files\n"
    "                __fish_complete_path $word\n"
    "            case :directories\n"
    "                __fish_complete_directories $word ''\n"
    "            case :commands\n"
    "                __fish_complete_command\n"
    "            case '*'\n"
    "                echo $line\n"
    "        end\n"
    "    end\n"
    "end\n"
    "complete -c weir -f -a '(__weir_complete)'\n";

static const struct entry shells[] = {
    {"bash", "source <(weir completion bash), in ~/.bashrc"},
    {"zsh", "source <(weir completion zsh), in ~/.zshrc after compinit"},
    {"fish", "weir completion fish | source, in ~/.config/fish/config.fish"},
    {NULL, NULL},
};
static const char *const scripts[] = {bash_script, zsh_script, fish_script};

static int completion_run(const void *values, struct err *err)
{
    const struct words *operands = values;
    for (size_t i = 0; shells[i].name; i++) {
        if (strcmp(shells[i].name, operands->list[0]) == 0) {
            fputs(scripts[i], stdout);
            return STATUS_DONE;
        }
    }
    err_set(err, "completion: unknown shell '%s', expected bash, zsh or fish", operands->list[0]);
    return STATUS_MISUSE;
}

const struct command command_completion = {
    .name = "completion",
    .summary = "print the completion script for a shell",
    .operands = "bash|zsh|fish",
    .least = 1,
    .most = 1,
    .details = "'make install' puts the scripts where shells look for them. Otherwise:",
    .entries = shells,
    .example = "source <(weir completion bash)",
    .size = sizeof(struct words),
    .run = completion_run,
};

static int complete_run(const void *values, struct err *err)
{
    (void)err;
    complete_words(values, stdout);
    return STATUS_DONE;
}

const struct command command_complete = {
    .name = "complete",
    .summary = "print how the words of a command line can go on",
    .operands = "-- WORD...",
    .most = SIZE_MAX,
    .example = "weir complete -- simulate --pol",
    .size = sizeof(struct words),
    .hidden = true,
    .run = complete_run,
};
