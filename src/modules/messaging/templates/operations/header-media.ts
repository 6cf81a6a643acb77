/** The media header of a template, and the source of its sample file. */
import { isObject } from '../../../../core/values/storable.ts'
import type { MediaKind } from '../../../../operator/media-types.ts'
import type { Component, TemplateRow } from '../queries/templates.ts'

const KINDS: Record<string, MediaKind> = { IMAGE: 'image', VIDEO: 'video', DOCUMENT: 'document' }

const headerOf = (components: Component[]): Component | undefined =>
  components.find(({ type }) => typeof type === 'string' && type.toUpperCase() === 'HEADER')

/** Returns the kind of file in the header; undefined without a media header. */
export const headerKindOf = ({ components }: Pick<TemplateRow, 'components'>): MediaKind | undefined =>
  KINDS[String(headerOf(components)?.format).toUpperCase()]

/** Returns the address or the media id of the header's sample; undefined for a handle, which can't be read. */
export function sampleSourceOf({ components }: Pick<TemplateRow, 'components'>): string | undefined {
  const example = headerOf(components)?.example
  const handles = isObject(example) ? example.header_handle : undefined
  const [value]: unknown[] = Array.isArray(handles) ? handles : []
  return typeof value === 'string' && /^(https:\/\/|\d+$)/i.test(value) ? value : undefined
}
