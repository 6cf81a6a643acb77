/** Decides in which language a customer reads texts: the contact's, otherwise the workspace's (DECISIONS.md "Languages"). */
import type { Context } from '../../../../core/context.ts'
import { type Language, languageOf } from '../../../../core/values/languages.ts'
import type { ContactRow } from '../queries/contacts.ts'
import { findContactsOf } from './find-contact.ts'

type Workspace = Pick<Context['workspace'], 'id' | 'language'>
type Reader = Pick<Context, 'tx'> & { workspace: Workspace }

/** Returns the language of the contact itself; undefined without one that Parley has texts in. */
export const ownLanguage = (contact: Pick<ContactRow, 'language'> | undefined): Language | undefined =>
  languageOf(contact?.language ?? '')

/** Returns the function that returns a contact's language by its id. */
export async function readLanguages(
  { tx, workspace }: Reader,
  contactIds: readonly (string | null)[],
): Promise<(contactId: string | null) => Language> {
  const ids = [...new Set(contactIds)].filter((id) => id !== null)
  const contacts = await findContactsOf(
    { tx },
    ids.map((contactId) => ({ workspaceId: workspace.id, contactId })),
  )
  return (contactId) =>
    ownLanguage(contactId === null ? undefined : contacts.get(contactId)) ?? workspace.language
}

/** Returns the language of one customer. An erased contact has the workspace's. */
export const readLanguage = async (ctx: Reader, contactId: string | null): Promise<Language> =>
  (await readLanguages(ctx, [contactId]))(contactId)
