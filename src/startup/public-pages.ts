/** The pages that customers open by link. */
import type { onRequestAsyncHookHandler } from 'fastify'
import { bookingPages } from '../adapters/booking-pages.ts'
import { reviewPages } from '../adapters/review-pages.ts'
import { salesPages } from '../adapters/sales-pages.ts'
import { weeklyMailPages } from '../adapters/weekly-mail-pages.ts'
import type { BodyBudget } from '../http/callbacks/body-budget.ts'
import { type PublicPage, publicPages } from '../http/files/public-pages.ts'
import { siteFiles } from '../http/files/site-files.ts'
import type { Plugin } from './keyless-routes.ts'
import type { ServiceParts } from './server-parts.ts'

export const pagesOf = (parts: ServiceParts): PublicPage[] => [
  ...salesPages(parts),
  ...bookingPages(parts),
  ...reviewPages(parts),
  ...weeklyMailPages(parts),
]

export const publicPagesPlugin = (parts: ServiceParts, budget: BodyBudget): Plugin =>
  publicPages({
    ...parts.byAddress,
    budget,
    pages: pagesOf(parts),
    onError: (error) => parts.log.error({ err: error }, 'serving a public page failed'),
  })

/** `/robots.txt` and `/.well-known/security.txt`. */
export const siteFilesPlugin = (parts: ServiceParts, limited: onRequestAsyncHookHandler): Plugin =>
  siteFiles({
    clock: parts.clock,
    siteUrl: parts.config.siteUrl,
    securityContact: parts.config.securityContact,
    publicPages: pagesOf(parts).map(({ name }) => name),
    limited,
  })
