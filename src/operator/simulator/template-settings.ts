import { enumParameter, type Read, refuse, textParameter } from './graph-parameters.ts'
import schema from './graph-schema.json' with { type: 'json' }

const declared: Record<string, { type: string; values?: string[] }> = schema.lists.message_templates.settings

/** Reads a template's settings besides its text, as a node shows them; omitted settings are absent. */
export function readTemplateSettings(values: Record<string, unknown>): Read<Record<string, unknown>> {
  const settings: Record<string, unknown> = {}
  for (const [name, { type, values: allowed = [] }] of Object.entries(declared)) {
    if (values[name] === undefined || values[name] === null) continue
    const read =
      type === 'enum' ? enumParameter(name, values[name], allowed) : readPlain(name, type, values[name])
    if (!read.ok) return read
    settings[name] = read.value
  }
  return { ok: true, value: settings }
}

function readPlain(name: string, type: string, input: unknown): Read<unknown> {
  const text = textParameter(input)
  if (type === 'boolean')
    return /^(true|false|[01])$/.test(text)
      ? { ok: true, value: text === 'true' || text === '1' }
      : refuse(`Param ${name} must be a boolean.`)
  return /^-?\d{1,9}$/.test(text)
    ? { ok: true, value: Number(text) }
    : refuse(`Param ${name} must be an integer.`)
}
