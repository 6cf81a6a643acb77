/** The page that stops the weekly mail: `/u/{token}`. Mail programs post to it too (RFC 8058). */
import { firstLanguage } from '../core/values/languages.ts'
import { chosenLanguage } from '../core/values/page-language.ts'
import type { PublicAnswer, PublicPage, PublicRequest } from '../http/files/public-pages.ts'
import { findChoiceByToken, setChoice } from '../modules/reporting/reports/mail/choose-weekly.ts'
import { stopPage } from '../modules/reporting/reports/mail/stop-page.ts'
import { type LinkParts, linkOpener, type OpenedLink, workspaceOfLink } from './public-links.ts'

const answerOf = (
  { workspace }: OpenedLink,
  { query, languages }: PublicRequest,
  isStopped: boolean,
): PublicAnswer => {
  const language = chosenLanguage(query) ?? firstLanguage(languages) ?? workspace.language
  return { page: stopPage(language, workspace.name, isStopped) }
}

export function weeklyMailPages(parts: LinkParts): PublicPage[] {
  const open = linkOpener(parts)
  const linked = async ({ token, below }: PublicRequest): Promise<OpenedLink | undefined> =>
    below === undefined ? open((query) => findChoiceByToken(query, token)) : undefined
  return [
    {
      name: 'u',
      findWorkspace: workspaceOfLink(parts, findChoiceByToken),
      read: async (request) => {
        const link = await linked(request)
        return link && answerOf(link, request, false)
      },
      submit: async (request) => {
        const link = await linked(request)
        if (!link) return undefined
        await link.transaction((ctx) => setChoice(ctx, link.id, false))
        return answerOf(link, request, true)
      },
    },
  ]
}
