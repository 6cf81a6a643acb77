import { setImmediate as endOfTurn } from 'node:timers/promises'
import { Refusal } from '../../../../core/errors.ts'

/** The result of a row: new, known, or refused with a reason. */
export type RowOutcome = 'created' | 'known' | { refused: string }

/** A row after reading: its cells in order, or why it couldn't be read. */
type ReadRow = { cells: string[]; fault?: string | null | undefined }

/** Reading this many rows takes some milliseconds. */
const ROWS_IN_A_TURN = 25

/** Functions that read, import, and reject bodies. */
type Taking<Body> = {
  read: (cells: string[]) => Body | string
  take: (bodies: Body[]) => Promise<({ created: boolean } | Refusal)[]>
  inWords: (refusal: Refusal) => string
}

/** Imports all readable bodies together. Returns the result of each row, in order. */
export async function takeTogether<Body extends object>(
  rows: ReadRow[],
  { read, take, inWords }: Taking<Body>,
): Promise<RowOutcome[]> {
  const bodies: (Body | string)[] = []
  for (const [i, { cells, fault }] of rows.entries()) {
    bodies.push(fault ?? read(cells))
    if (i % ROWS_IN_A_TURN === ROWS_IN_A_TURN - 1) await endOfTurn()
  }
  const validBodies = bodies.filter((body) => typeof body === 'object')
  const results = validBodies.length > 0 ? await take(validBodies) : []
  const answers = new Map(validBodies.map((body, i) => [body, results[i]!]))
  return bodies.map((body): RowOutcome => {
    if (typeof body === 'string') return { refused: body }
    const answer = answers.get(body)!
    if (answer instanceof Refusal) return { refused: inWords(answer) }
    return answer.created ? 'created' : 'known'
  })
}
