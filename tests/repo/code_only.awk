# SPDX-License-Identifier: BSD-3-Clause
# Prints file:line:code without comments and without the contents of string and character literals.
function code_of(line,    out, i, c, two, quote) {
    out = ""
    quote = ""
    for (i = 1; i <= length(line); ++i) {
        c = substr(line, i, 1)
        two = substr(line, i, 2)
        if (in_comment) {
            if (two == "*/") { in_comment = 0; ++i }
        } else if (quote != "") {
            if (c == "\\") ++i
            else if (c == quote) { quote = ""; out = out c }
        } else if (two == "//") {
            break
        } else if (two == "/*") {
            in_comment = 1
            ++i
        } else {
            # 1'000'000 is one number, not a literal
            if (c == "\"" || (c == "'" && out !~ /[0-9A-Za-z_]$/)) quote = c
            out = out c
        }
    }
    return out
}
FNR == 1 { in_comment = 0 }
{ print FILENAME ":" FNR ":" code_of($0) }
