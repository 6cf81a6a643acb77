/** Messages with answers to tap: reply buttons and lists (docs/formats.md section 2). */
import { checked, exactly, listOf, object, raiseRepeats, words } from './fields.ts'
import { Body, body, Footer, Header, label, TextHeader } from './interactive-parts.ts'

const BUTTONS_MAX = 3
const SECTIONS_MAX = 10
const ROWS_MAX = 10

const ReplyButton = object({
  type: exactly('reply'),
  reply: object({ id: words(256), title: label }),
})

/** A message with 1 to 3 buttons with distinct ids and titles. */
export const ButtonMessage = object({
  type: exactly('button'),
  header: Header.optional(),
  body: Body,
  footer: Footer.optional(),
  action: object({
    buttons: listOf(ReplyButton, 1, BUTTONS_MAX).check(
      checked((buttons, raise) => {
        for (const field of ['id', 'title'] as const)
          raiseRepeats(
            buttons.map((button, i) => ({ value: button.reply[field], path: [i, 'reply', field] })),
            raise,
          )
      }),
    ),
  }),
})

const Row = object({ id: words(200), title: words(24), description: words(72).optional() })
const Section = object({ title: words(24).optional(), rows: listOf(Row, 1, ROWS_MAX) })

/** A message with sections of rows, at most 10 rows in total; several sections need titles. */
export const ListMessage = object({
  type: exactly('list'),
  header: TextHeader.optional(),
  body: body(4096),
  footer: Footer.optional(),
  action: object({
    button: label,
    sections: listOf(Section, 1, SECTIONS_MAX).check(
      checked((sections, raise) => {
        const rows = sections.flatMap((section, s) =>
          section.rows.map((row, r) => ({ value: row.id, path: [s, 'rows', r, 'id'] })),
        )
        if (rows.length > ROWS_MAX) raise([], `Must have at most ${ROWS_MAX} rows in all.`)
        raiseRepeats(rows, raise)
        for (const [s, { title }] of sections.entries())
          if (sections.length > 1 && title === undefined)
            raise([s, 'title'], 'Required when there are several sections.')
      }),
    ),
  }),
})
