/** Serves files that crawlers and security researchers request from every site. */
import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify'
import { type Clock, DAY_MS } from '../../core/clock.ts'

export type SiteFilesOptions = {
  clock: Clock
  siteUrl: string
  /**
   * Contact for vulnerability reports, such as `mailto:security@example.com`; without it, there is no
   * security.txt.
   */
  securityContact: string | undefined
  /** The first parts of the addresses that customers open with a link. */
  publicPages: string[]
  limited: onRequestAsyncHookHandler
}

const TEXT = 'text/plain; charset=utf-8'
/** RFC 9116 recommends an expiry date less than a year ahead. */
const EXPIRES_IN_DAYS = 180

export const siteFiles =
  ({ clock, siteUrl, securityContact, publicPages, limited }: SiteFilesOptions) =>
  (app: FastifyInstance): void => {
    const options = { exposeHeadRoute: true, onRequest: limited }
    // Public pages have a noindex header; crawlers must be allowed to fetch the pages to see it.
    const robots = [
      'User-agent: *',
      ...publicPages.map((name) => `Allow: /${name}/`),
      'Disallow: /',
      '',
    ].join('\n')
    app.get('/robots.txt', options, async (_request, reply) => reply.type(TEXT).send(robots))
    if (securityContact === undefined) return
    app.get('/.well-known/security.txt', options, async (_request, reply) => {
      const expires = new Date(clock.now().getTime() + EXPIRES_IN_DAYS * DAY_MS)
      return reply
        .type(TEXT)
        .send(
          [
            `Contact: ${securityContact}`,
            `Expires: ${expires.toISOString()}`,
            `Canonical: ${siteUrl}/.well-known/security.txt`,
            'Preferred-Languages: en',
            '',
          ].join('\n'),
        )
    })
  }
