/** The page where a customer answers a review request: `/r/{token}`. */
import { Refusal } from '../core/errors.ts'
import { chosenLanguage, langIn } from '../core/values/page-language.ts'
import type { PublicAnswer, PublicPage, PublicRequest } from '../http/files/public-pages.ts'
import {
  findRequestByToken,
  submitReview,
  viewReview,
} from '../modules/selling/reviews/operations/public-review.ts'
import { reviewPage } from '../modules/selling/reviews/pages/review-page.ts'
import { type LinkParts, linkOpener, type OpenedLink, workspaceOfLink } from './public-links.ts'

async function shown(
  link: OpenedLink,
  { query }: PublicRequest,
  status = 200,
): Promise<PublicAnswer | undefined> {
  const view = await link.transaction((ctx) => viewReview(ctx, link.id, chosenLanguage(query)))
  return view && { page: reviewPage(view), status }
}

export function reviewPages(parts: LinkParts): PublicPage[] {
  const open = linkOpener(parts)
  /** The page has no subpages. */
  const linked = async ({ token, below }: PublicRequest): Promise<OpenedLink | undefined> =>
    below === undefined ? open((query) => findRequestByToken(query, token)) : undefined
  return [
    {
      name: 'r',
      findWorkspace: workspaceOfLink(parts, findRequestByToken),
      read: async (request) => {
        const link = await linked(request)
        return link && shown(link, request)
      },
      submit: async ({ values, ...request }) => {
        const link = await linked(request)
        if (!link) return undefined
        try {
          await link.transaction((ctx) => submitReview(ctx, link.id, values))
        } catch (error) {
          if (!(error instanceof Refusal && error.code === 'conflict')) throw error
          // The page shows the state of the request: its form may have been sent twice.
          return shown(link, request, 409)
        }
        const kept = new URLSearchParams(langIn(request.query))
        return { goTo: `/r/${request.token}${kept.size > 0 ? `?${kept}` : ''}` }
      },
    },
  ]
}
