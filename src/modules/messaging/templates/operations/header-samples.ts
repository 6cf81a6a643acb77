import { Readable } from 'node:stream'
import type { OutsideContext } from '../../../../core/context.ts'
import { invalid } from '../../../../core/errors.ts'
import { isObject, objectsIn } from '../../../../core/values/storable.ts'
import { MAX_MEDIA_BYTES, type MediaKind } from '../../../../operator/media-types.ts'
import type { OperatorNumber, OutboundFile } from '../../../../operator/port.ts'
import { operatorRefusal } from '../../../../operator/refusals.ts'
import { findMediaForSend } from '../../media/operations/find-for-send.ts'
import type { Component } from '../queries/templates.ts'

declare module '../../../../core/context.ts' {
  interface Outside {
    /**
     * Fetches a public https address into memory. Refuses with `invalid`, naming `field`, if it is
     * unreachable, too large …
     */
    fetchFile(
      url: string,
      limits: { field: string; maxBytes: number },
    ): Promise<{ bytes: Buffer; mimeType: string }>
  }
}

/** Samples are only for reviewers, so they need not be as large as documents in messages. */
const MAX_SAMPLE = 16 * 1024 * 1024

/** Types of samples by the format of the header. */
const types: Record<string, string[]> = {
  IMAGE: ['image/jpeg', 'image/png'],
  VIDEO: ['video/mp4', 'video/3gpp'],
  DOCUMENT: ['application/pdf'],
}

/**
 * Returns the components with a handle for each header sample, as the operator requires (docs/formats.md
 * section 5): a file at an https address is fetched and uploaded, a media id of `POST /media` is copied, a
 * handle stays.
 */
export async function withSamples(
  ctx: OutsideContext,
  number: OperatorNumber,
  components: Component[],
  path = 'components',
): Promise<Component[]> {
  const done: Component[] = []
  for (const [i, component] of components.entries()) {
    const own = `${path}[${i}]`
    if (component.type === 'HEADER') done.push(await withSample(ctx, number, component, own))
    else if (component.type === 'CAROUSEL') {
      const cards: Component[] = []
      for (const [k, card] of objectsIn(component.cards).entries())
        cards.push({
          ...card,
          components: await withSamples(
            ctx,
            number,
            objectsIn(card.components),
            `${own}.cards[${k}].components`,
          ),
        })
      done.push({ ...component, cards })
    } else done.push(component)
  }
  return done
}

async function withSample(
  ctx: OutsideContext,
  number: OperatorNumber,
  header: Component,
  path: string,
): Promise<Component> {
  const example = isObject(header.example) ? header.example : {}
  const [value]: unknown[] = Array.isArray(example.header_handle) ? example.header_handle : []
  if (typeof value !== 'string') return header
  const field = `${path}.example.header_handle[0]`
  const file = await fileOf(ctx, number, { value, format: String(header.format), field })
  if (!file) return header
  const uploaded = await ctx.outside.operator.uploadTemplateSample(number, file)
  if (uploaded.kind !== 'done') throw operatorRefusal(uploaded)
  return { ...header, example: { ...example, header_handle: [uploaded.value.handle] } }
}

type Sample = { value: string; format: string; field: string }

/** Returns the file of a sample; undefined for a handle. */
async function fileOf(
  ctx: OutsideContext,
  number: OperatorNumber,
  sample: Sample,
): Promise<OutboundFile | undefined> {
  if (/^https?:\/\//i.test(sample.value)) return fetched(ctx, sample)
  if (/^\d+$/.test(sample.value)) return copied(ctx, number, sample)
  return undefined
}

function checkType(mimeType: string, { format, field }: Sample): void {
  const allowed = types[format] ?? []
  if (!allowed.includes(mimeType))
    throw invalid([
      {
        path: field,
        message: `Must be ${allowed.join(', ')} for a header of format ${format}. The file is ${mimeType}.`,
      },
    ])
}

async function fetched({ outside }: OutsideContext, sample: Sample): Promise<OutboundFile> {
  const kind = sample.format.toLowerCase() as MediaKind
  const maxBytes = Math.min(MAX_MEDIA_BYTES[kind], MAX_SAMPLE)
  const { bytes, mimeType } = await outside.fetchFile(sample.value, { field: sample.field, maxBytes })
  checkType(mimeType, sample)
  return {
    filename: 'sample',
    mimeType,
    sizeBytes: bytes.length,
    stream: () => Readable.from([bytes]),
  }
}

const unknownFile = ({ field }: Sample) =>
  invalid([{ path: field, message: 'File not found in this business account. Upload it with POST /media.' }])

/** Copies only files of the workspace: for other files the operator's answer looks like an invalid token. */
async function copied(
  { outside, workspace, transaction }: OutsideContext,
  number: OperatorNumber,
  sample: Sample,
): Promise<OutboundFile> {
  const key = { workspaceId: workspace.id, mediaId: sample.value }
  const [stored] = await transaction((ctx) => findMediaForSend(ctx, [key]))
  if (!stored) throw unknownFile(sample)
  const found = await outside.operator.findMedia(number, sample.value)
  if (found.kind === 'refused' && found.error.category === 'request') throw unknownFile(sample)
  if (found.kind !== 'done') throw operatorRefusal(found)
  const { url, mimeType, sizeBytes } = found.value
  checkType(mimeType ?? 'unknown', sample)
  const opened = await outside.operator.downloadMedia(number, url)
  if (opened.kind !== 'done') throw operatorRefusal(opened)
  const size = sizeBytes ?? opened.value.sizeBytes
  if (size === null || size > MAX_SAMPLE) {
    opened.value.stream.destroy()
    throw invalid([{ path: sample.field, message: 'Too large for a sample. Use a smaller file.' }])
  }
  return { filename: 'sample', mimeType: mimeType ?? '', sizeBytes: size, stream: () => opened.value.stream }
}
