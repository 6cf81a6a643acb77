/** The places in SQL in which a semicolon ends no statement: texts, names, bodies of functions, and comments. */
const ENCLOSED = /'(?:[^']|'')*'|"(?:[^"]|"")*"|(\$\w*\$)[\s\S]*?\1|--[^\n]*|\/\*[\s\S]*?\*\//g

/** Splits SQL into its statements, without the semicolons. */
export function splitStatements(sql: string): string[] {
  const statements: string[] = []
  let start = 0
  // Of the same length, so that places in it are places in the SQL.
  const open = sql.replaceAll(ENCLOSED, (enclosed) => ' '.repeat(enclosed.length))
  for (let end = open.indexOf(';'); end !== -1; end = open.indexOf(';', end + 1)) {
    if (open.slice(start, end).trim() !== '') statements.push(sql.slice(start, end).trim())
    start = end + 1
  }
  if (open.slice(start).trim() !== '') statements.push(sql.slice(start).trim())
  return statements
}
