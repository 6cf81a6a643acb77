import { Refusal } from '../../../core/errors.ts'

/** What became of a row: new, known before, or why it was refused. */
export type RowOutcome = 'created' | 'known' | { refused: string }

/** A row as it was read: its cells by column, and why it could not be read. */
type ReadRow = { values: Record<string, string>; fault?: string | undefined }

/** Bodies that could be read, taken in together; each row's outcome in its place. */
export async function takeTogether<Body extends object>(
  rows: ReadRow[],
  read: (values: Record<string, string>) => Body | string,
  take: (bodies: Body[]) => Promise<({ created: boolean } | Refusal)[]>,
): Promise<RowOutcome[]> {
  const bodies = rows.map(({ values, fault }) => fault ?? read(values))
  const good = bodies.filter((body) => typeof body === 'object')
  const taken = good.length > 0 ? await take(good) : []
  const answers = new Map(good.map((body, i) => [body, taken[i]!]))
  return bodies.map((body): RowOutcome => {
    if (typeof body === 'string') return { refused: body }
    const answer = answers.get(body)!
    if (answer instanceof Refusal) return { refused: answer.message }
    return answer.created ? 'created' : 'known'
  })
}
