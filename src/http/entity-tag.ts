import type { FastifyRequest } from 'fastify'

const withoutMark = (tag: string): string => tag.trim().replace(/^W\//, '')

/** Whether the client has what `tag` names already (RFC 9110 section 13.1.2): a proxy that packs what passes makes tags weak. */
export const isKnown = ({ headers }: FastifyRequest, tag: string): boolean =>
  (headers['if-none-match'] ?? '')
    .split(',')
    .some((one) => one.trim() === '*' || withoutMark(one) === withoutMark(tag))
