# Counts the lines of a Java file: all of them, and those with code. A line has code if something is left of it
# without comments and white space, and if it is no package or import declaration.
# Strings, characters and text blocks are read as such, so that "//" inside them is no comment.
{
  all++
  rest = $0
  gsub(/\r/, "", rest)
  has_code = in_text # a line of a text block is code, unless it is blank
  if (in_text && rest ~ /^[ \t]*$/) has_code = 0
  declaration = 0
  while (rest != "") {
    if (in_comment) {
      end = index(rest, "*/")
      if (!end) break
      in_comment = 0
      rest = substr(rest, end + 2)
    } else if (in_text) {
      if (substr(rest, 1, 1) == "\\") {
        rest = substr(rest, 3)
      } else if (substr(rest, 1, 3) == "\"\"\"") {
        in_text = 0
        rest = substr(rest, 4)
      } else {
        rest = substr(rest, 2)
      }
    } else if (match(rest, /^[ \t\f]+/)) {
      rest = substr(rest, RLENGTH + 1)
    } else if (substr(rest, 1, 2) == "//") {
      break
    } else if (substr(rest, 1, 2) == "/*") {
      in_comment = 1
      rest = substr(rest, 3)
    } else if (substr(rest, 1, 3) == "\"\"\"") {
      has_code = 1
      in_text = 1
      rest = substr(rest, 4)
    } else if (match(rest, /^"([^"\\]|\\.)*"/) || match(rest, /^'([^'\\]|\\.)*'/)) {
      has_code = 1
      rest = substr(rest, RLENGTH + 1)
    } else {
      if (!has_code) declaration = rest ~ /^(package|import)[ \t]/
      has_code = 1
      rest = substr(rest, 2)
    }
  }
  if (has_code && !declaration) code++
}
END { print all + 0, code + 0 }
