import { z } from 'zod'
import { Instant } from '../../../core/values/text.ts'

/** A link to a message's file that expires (spec 4.3). */
export const MessageMedia = z
  .object({
    url: z
      .string()
      .meta({ description: 'Download address; needs no key until `expiresAt`. Accepts Range requests.' }),
    mimeType: z.string(),
    filename: z.string(),
    sizeBytes: z.number().int(),
    expiresAt: Instant,
  })
  .meta({
    id: 'MessageMedia',
    description: 'A download link for the file of a message.',
    fields: { mimeType: 'Media type, such as `image/jpeg`.', sizeBytes: 'Size of the file in bytes.' },
  })
