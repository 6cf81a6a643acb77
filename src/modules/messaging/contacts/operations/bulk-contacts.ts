import type { Context } from '../../../../core/context.ts'
import { invalid, Refusal } from '../../../../core/errors.ts'
import { issuesOf } from '../../../../core/issues.ts'
import { NewContact } from '../schema.ts'
import { type Saved, type SaveItem, saveContacts } from './save-contacts.ts'

/**
 * Stores or updates contacts and returns one result per row, in order (DECISIONS.md "Contacts"). The rules
 * of `POST /contacts` apply to each row. A refused row affects no other row. Rows for one number are applied
 * one after the other.
 */
export async function saveContactsInBulk(ctx: Context, rows: unknown[]): Promise<(Saved | Refusal)[]> {
  const read = rows.map((row) => {
    const parsed = NewContact.safeParse(row)
    return parsed.success ? { ctx, body: parsed.data } : invalid(issuesOf(parsed.error, NewContact))
  })
  const items = read.filter((item): item is SaveItem => !(item instanceof Refusal))
  const saved = await saveContacts(items)
  const answers = new Map(items.map((item, index) => [item, saved[index]!]))
  return read.map((item) => (item instanceof Refusal ? item : answers.get(item)!))
}
