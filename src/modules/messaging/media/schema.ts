import { z } from 'zod'
import { Id } from '../../../core/ids.ts'
import { isLonger } from '../../../core/values/cut-text.ts'
import { FILENAME_MAX } from './filename.ts'

/** Body of `POST /media` (spec 4.2). */
export const MediaBody = z.strictObject({
  fileBase64: z.string('Must be the file in base64.').meta({
    description: 'The file in base64, without a `data:` prefix; at most 16 MB before encoding.',
    example: 'JVBERi0xLjQK',
  }),
  mimeType: z
    .string('Must be text.')
    .min(1, 'Must not be empty.')
    .max(255, 'Must be at most 255 characters.')
    .default('application/pdf')
    .meta({
      description: 'Media type of the file. The first bytes of the file must match it.',
      example: 'image/jpeg',
    }),
  filename: z
    .string('Must be text.')
    .min(1, 'Must not be empty.')
    .refine((name) => !isLonger(name, FILENAME_MAX), `Must be at most ${FILENAME_MAX} characters.`)
    .default('document.pdf')
    .meta({ maxLength: FILENAME_MAX, example: 'menu.jpg' }),
  phoneNumberId: Id.optional().meta({
    description: 'Id of the number whose account stores the file. Default: the first active number.',
  }),
})
export type MediaBody = z.output<typeof MediaBody>

/** Answer of `POST /media`: the operator's id, for `payload.<type>.id` of a send. */
export const UploadedMedia = z.object({
  id: z.string().meta({
    description: 'Id of the file for `POST /send`, valid for about 30 days.',
    example: '1037543291543636',
  }),
})
