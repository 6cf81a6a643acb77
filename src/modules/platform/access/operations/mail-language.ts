import type { Query } from '../../../../core/context.ts'
import { type Language, languageOf } from '../../../../core/values/languages.ts'
import { type AccountRow, listMemberLanguages } from '../queries/accounts.ts'

/** Returns the language of mails to an account: its own, otherwise English, because it can be in several workspaces. */
export const mailLanguage = (account: Pick<AccountRow, 'language'> | undefined): Language =>
  languageOf(account?.language ?? '') ?? 'en'

/** Returns the languages of a workspace's members whose accounts have one, by member. */
export async function readMailLanguages(query: Query, workspaceId: string): Promise<Map<string, Language>> {
  const rows = await listMemberLanguages(query, workspaceId)
  return new Map(
    rows.flatMap(({ id, language }): [string, Language][] => {
      const known = languageOf(language ?? '')
      return known ? [[id, known]] : []
    }),
  )
}
