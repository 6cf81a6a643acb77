/** The pages that customers open by a link. */
import { bookingPages } from '../adapters/booking-pages.ts'
import { reviewPages } from '../adapters/review-pages.ts'
import { salesPages } from '../adapters/sales-pages.ts'
import type { BodyBudget } from '../http/callbacks/body-budget.ts'
import { type PublicPage, publicPages } from '../http/public-pages.ts'
import type { Plugin } from './keyless-routes.ts'
import type { ServiceParts } from './server-parts.ts'

const pagesOf = (parts: ServiceParts): PublicPage[] => [
  ...salesPages(parts),
  ...bookingPages(parts),
  ...reviewPages(parts),
]

export const publicPagesPlugin = (parts: ServiceParts, budget: BodyBudget): Plugin =>
  publicPages({
    ...parts.byAddress,
    budget,
    pages: pagesOf(parts),
    onError: (error) => parts.log.error({ err: error }, 'a public page could not be served'),
  })
