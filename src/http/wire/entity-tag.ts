import type { FastifyRequest } from 'fastify'

const withoutMark = (tag: string): string => tag.trim().replace(/^W\//, '')

/**
 * Returns whether the client already has the version named by `tag` (RFC 9110 section 13.1.2). Ignores the
 * weak mark, because compressing proxies make tags weak.
 */
export const isKnown = ({ headers }: FastifyRequest, tag: string): boolean =>
  (headers['if-none-match'] ?? '')
    .split(',')
    .some((value) => value.trim() === '*' || withoutMark(value) === withoutMark(tag))
