/** The page on which a customer answers a request for a review: `/r/{token}`. */
import type { PublicAnswer, PublicPage, PublicRequest } from '../http/public-pages.ts'
import { findRequestByToken, submitReview, viewReview } from '../modules/reviews/operations/public-review.ts'
import { reviewPage } from '../modules/reviews/pages/review-page.ts'
import { type LinkParts, linkOpener, type OpenedLink } from './public-links.ts'

async function shown(link: OpenedLink): Promise<PublicAnswer | undefined> {
  const view = await link.transaction((ctx) => viewReview(ctx, link.id))
  return view && { page: reviewPage(view) }
}

export function reviewPages(parts: LinkParts): PublicPage[] {
  const open = linkOpener(parts)
  /** Nothing lies below the page. */
  const linked = async ({ token, below }: PublicRequest): Promise<OpenedLink | undefined> =>
    below === undefined ? open((query) => findRequestByToken(query, token)) : undefined
  return [
    {
      name: 'r',
      read: async (request) => {
        const link = await linked(request)
        return link && shown(link)
      },
      submit: async ({ values, ...request }) => {
        const link = await linked(request)
        if (!link) return undefined
        await link.transaction((ctx) => submitReview(ctx, link.id, values))
        return { goTo: `/r/${request.token}` }
      },
    },
  ]
}
