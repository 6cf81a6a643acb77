import type { Context } from '../../../../core/context.ts'
import { saveContacts } from '../../../messaging/contacts/operations/save-contacts.ts'
import { captureLeads } from '../../../selling/crm/operations/capture-leads.ts'
import type { ImportKind } from '../schema.ts'
import type { RowReading } from './field-values.ts'
import { type RowOutcome, takeTogether } from './import-batch.ts'
import { mappedContact, mappedLead, refusalInColumns } from './mapped-rows.ts'

/** Imports rows through the operations of the API. `addTags`: keeps the contact's other tags. */
export function takeIn(
  ctx: Context,
  rows: { cells: string[]; fault?: string | null | undefined }[],
  { kind, reading, addTags }: { kind: ImportKind; reading: RowReading; addTags: boolean },
): Promise<RowOutcome[]> {
  const formatRefusal = (refusal: Parameters<typeof refusalInColumns>[0]) =>
    refusalInColumns(refusal, reading)
  return kind === 'leads'
    ? takeTogether(rows, {
        read: (cells) => mappedLead(cells, reading),
        take: (bodies) => captureLeads(bodies.map((body) => ({ ctx, body, via: 'import', form: null }))),
        inWords: formatRefusal,
      })
    : takeTogether(rows, {
        read: (cells) => mappedContact(cells, reading),
        take: (bodies) => saveContacts(bodies.map((body) => ({ ctx, body, addTags }))),
        inWords: formatRefusal,
      })
}
