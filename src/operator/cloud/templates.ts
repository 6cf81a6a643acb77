import { MINUTE_MS } from '../../core/clock.ts'
import { idOrNull, isObject, objectsIn, storableJson, textOrNull } from '../../core/values/storable.ts'
import { type Operator, type OperatorTemplate, UNRATED } from '../port.ts'
import { type Line, pageOf } from './line.ts'

const fields = [
  'id',
  'name',
  'language',
  'status',
  'category',
  'components',
  'quality_score',
  'rejected_reason',
  'parameter_format',
].join(',')

/** Templates on a page: components may be long, and the size of an answer is limited. */
const PAGE = 100
const UPLOAD_MS = MINUTE_MS
const handleSession = /^upload:[^\s/\\]+$/

/** An account's templates (docs/formats.md section 6.1) and the samples of their headers (section 5). */
export const templateCalls = (
  line: Line,
): Pick<Operator, 'createTemplate' | 'listTemplates' | 'deleteTemplate' | 'uploadTemplateSample'> => ({
  async createTemplate(number, template) {
    const { name, language, category, parameterFormat, components, ttlSeconds } = template
    const answered = await line.call(number, {
      method: 'POST',
      path: addressOf(number.accountId),
      json: {
        name,
        language,
        category,
        parameter_format: parameterFormat,
        components,
        message_send_ttl_seconds: ttlSeconds ?? undefined,
      },
    })
    if (answered.kind !== 'done') return answered
    const id = numberedId(answered.value.id)
    if (id === null) return { kind: 'unknown', reason: 'the answer about the template has no id' }
    return {
      kind: 'done',
      value: {
        id,
        status: upper(answered.value.status) ?? 'PENDING',
        category: upper(answered.value.category) ?? category,
      },
    }
  },

  async listTemplates(number, { after, name }) {
    const query = new URLSearchParams({ fields, limit: String(PAGE) })
    if (name !== null) query.set('name', name)
    if (after !== null) query.set('after', after)
    const path = `${addressOf(number.accountId)}?${query}`
    const page = pageOf(await line.call(number, { method: 'GET', path }))
    if (page.kind !== 'done') return page
    const { data, after: next } = page.value
    return { kind: 'done', value: { templates: data.flatMap(templateOf), after: next } }
  },

  async deleteTemplate(number, { name, id }) {
    const query = new URLSearchParams(id === null ? { name } : { name, hsm_id: id })
    const answered = await line.call(number, {
      method: 'DELETE',
      path: `${addressOf(number.accountId)}?${query}`,
    })
    return answered.kind === 'done' ? { kind: 'done', value: undefined } : answered
  },

  async uploadTemplateSample(number, file) {
    const query = new URLSearchParams({
      file_name: file.filename,
      file_length: String(file.sizeBytes),
      file_type: file.mimeType,
    })
    const opened = await line.call(number, { method: 'POST', path: `/app/uploads?${query}` })
    if (opened.kind !== 'done') return opened
    const session = textOrNull(opened.value.id)
    if (session === null || !handleSession.test(session))
      return { kind: 'unknown', reason: 'the answer to the upload session has no id' }
    const sent = await line.call(number, {
      method: 'POST',
      // Used unchanged: the id may contain a signature as its query.
      path: `/${session}`,
      headers: {
        authorization: `OAuth ${number.token}`,
        file_offset: '0',
        'content-type': file.mimeType,
        'content-length': String(file.sizeBytes),
      },
      body: file.stream(),
      timeoutMs: UPLOAD_MS,
    })
    if (sent.kind !== 'done') return sent
    const handle = textOrNull(sent.value.h)
    return handle === null
      ? { kind: 'unknown', reason: 'the answer to the upload has no handle' }
      : { kind: 'done', value: { handle } }
  },
})

const addressOf = (accountId: string): string => `/${encodeURIComponent(accountId)}/message_templates`

const upper = (value: unknown): string | null => textOrNull(value)?.toUpperCase() ?? null

/**
 * Reads an id that may be a number. A number above JavaScript's safe integers has lost digits, so it is
 * invalid.
 */
const numberedId = (value: unknown): string | null =>
  typeof value === 'number' ? (Number.isSafeInteger(value) ? String(value) : null) : idOrNull(value)

/** Reads a template of the operator's list; skips a row without id, name, or language. */
function templateOf(row: Record<string, unknown>): OperatorTemplate[] {
  const [id, name, language] = [numberedId(row.id), idOrNull(row.name), idOrNull(row.language)]
  if (id === null || name === null || language === null) return []
  const reason = textOrNull(row.rejected_reason)
  return [
    {
      id,
      name,
      language: language.replaceAll('-', '_'),
      status: upper(row.status) ?? 'PENDING',
      category: upper(row.category) ?? 'UTILITY',
      parameterFormat: upper(row.parameter_format) === 'NAMED' ? 'NAMED' : 'POSITIONAL',
      components: objectsIn(storableJson(row.components)),
      quality: upper(isObject(row.quality_score) ? row.quality_score.score : row.quality_score) ?? UNRATED,
      rejectedReason: reason === 'NONE' ? null : reason,
    },
  ]
}
