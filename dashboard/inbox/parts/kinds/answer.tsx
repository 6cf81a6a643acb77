/** Shows a customer's answer to one of our interactive messages. */
import { t } from '../../texts.ts'
import { type Content, objectIn, textIn } from './content.ts'
import { Kind, PlainText } from './text.tsx'

/** Shows a tapped button or row. */
export function TappedOption({ title, description }: { title: string; description?: string | undefined }) {
  return (
    <>
      <Kind>{t('bubble.tapped')}</Kind>
      <PlainText text={title} />
      {description && <p className="text-sm text-ink-2">{description}</p>}
    </>
  )
}

/** Returns a field name such as `delivery_rating` in readable form. */
const readable = (name: string): string => {
  const text = name.replaceAll(/[_-]+/g, ' ').trim()
  return text.charAt(0).toUpperCase() + text.slice(1)
}
const formatValue = (value: unknown): string =>
  Array.isArray(value)
    ? value.map(formatValue).join(', ')
    : typeof value === 'string'
      ? value
      : value === null || value === undefined
        ? ''
        : JSON.stringify(value)

function fieldsIn(reply: Content): [string, string][] {
  try {
    const answers: unknown = JSON.parse(textIn(reply, 'response_json') ?? '{}')
    return Object.entries(answers as Content)
      .filter(([name]) => name !== 'flow_token')
      .map(([name, value]) => [readable(name), formatValue(value)])
  } catch {
    return []
  }
}

/** Shows a completed form, field by field. */
function Form({ reply }: { reply: Content }) {
  const fields = fieldsIn(reply)
  return (
    <div className="min-w-48">
      <Kind>{t(textIn(reply, 'name') === 'address_message' ? 'bubble.address' : 'bubble.form')}</Kind>
      {fields.length === 0 ? (
        <PlainText text={textIn(reply, 'body') ?? ''} />
      ) : (
        <dl className="mt-1 flex flex-col gap-1">
          {fields.map(([name, value]) => (
            <div key={name}>
              <dt className="text-xs text-ink-3">{name}</dt>
              <dd dir="auto" className="break-words">
                {value}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  )
}

/** Returns the parts of an answer; undefined if `content` is not an answer. */
export function answerIn(content: Content) {
  const tapped = objectIn(content, 'button_reply') ?? objectIn(content, 'list_reply')
  if (tapped)
    return <TappedOption title={textIn(tapped, 'title') ?? ''} description={textIn(tapped, 'description')} />
  const form = objectIn(content, 'nfm_reply')
  if (form) return <Form reply={form} />
  const permission = objectIn(content, 'call_permission_reply')
  if (permission)
    return (
      <p>
        {t(textIn(permission, 'response') === 'accept' ? 'bubble.calls.allowed' : 'bubble.calls.refused')}
      </p>
    )
  return undefined
}
