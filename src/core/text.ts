import { z } from 'zod'

/** ISO 8601 with an offset in requests (spec 2.1); a Date inside. */
export const InstantInput = z.iso
  .datetime({ offset: true, error: 'must be an ISO 8601 time with an offset' })
  .transform((text) => new Date(text))

/** A time in a reply: UTC with milliseconds and Z. */
export const Instant = z.iso.datetime().meta({ example: '2026-06-01T09:30:00.000Z' })

/** Any JSON object, for custom fields. Depth and odd characters are refused at the door. */
export const JsonObject = z.record(z.string(), z.unknown())
