/** Edits the content of a template: header, body, footer, buttons, and an example for each placeholder. */
import { Braces } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { Button } from '../../kit/button.tsx'
import { TextArea, TextField } from '../../kit/field.tsx'
import { SelectField } from '../../kit/select.tsx'
import { Switch } from '../../kit/switch.tsx'
import { t } from '../texts.ts'
import { ButtonsEditor } from './buttons-editor.tsx'
import { type Draft, HEADER_FORMATS, type HeaderFormat, placeholdersIn } from './draft.ts'
import { FileOrLink } from './file-or-link.tsx'
import { FindingList } from './finding-list.tsx'
import type { Findings } from './findings.ts'

type Props = {
  draft: Draft
  findings: Findings
  /** The user has tried to submit, so missing values are shown as errors. */
  isTried: boolean
  onChange: (patch: Partial<Draft>) => void
}

const valueIn = (event: { target: EventTarget }): string =>
  (event.target as HTMLInputElement | HTMLTextAreaElement).value

/** The operator's limits. */
const [HEADER_MAX, BODY_MAX, FOOTER_MAX] = [60, 1024, 60]
/** Counts a text as the operator does, by characters. */
const countIn = (text: string, max: number): string => t('length', { count: Array.from(text).length, max })

const Group = ({ title, children }: { title: string; children: ReactNode }) => (
  <fieldset className="flex flex-col gap-3">
    <legend className="mb-2 font-semibold">{title}</legend>
    {children}
  </fieldset>
)

type ExampleProps = Pick<Props, 'draft' | 'onChange'> & { part: 'header' | 'body'; text: string }

const Examples = ({ draft, onChange, part, text }: ExampleProps) => (
  <div className="grid gap-3 empty:hidden sm:grid-cols-2">
    {placeholdersIn(text).map((name) => (
      <TextField
        key={name}
        label={t('example', { name: `{{${name}}}` })}
        value={draft.examples[`${part}-${name}`] ?? ''}
        onChange={(event) =>
          onChange({ examples: { ...draft.examples, [`${part}-${name}`]: valueIn(event) } })
        }
      />
    ))}
  </div>
)

function Header({ draft, findings, onChange }: Props) {
  return (
    <Group title={t('header')}>
      <SelectField<HeaderFormat>
        label={t('header.format')}
        value={draft.headerFormat}
        onChange={(headerFormat) => onChange({ headerFormat, sample: '' })}
        choices={HEADER_FORMATS.map((value) => ({ value, label: t(`header.${value}`) }))}
      />
      {draft.headerFormat === 'TEXT' && (
        <>
          <TextField
            label={t('header.text')}
            hint={countIn(draft.headerText, HEADER_MAX)}
            value={draft.headerText}
            onChange={(event) => onChange({ headerText: valueIn(event) })}
          />
          <Examples draft={draft} onChange={onChange} part="header" text={draft.headerText} />
        </>
      )}
      {draft.headerFormat !== 'TEXT' && draft.headerFormat !== 'NONE' && (
        <FileOrLink
          key={draft.headerFormat}
          label={t('header.file')}
          hint={t('header.file.hint')}
          kind={draft.headerFormat.toLowerCase()}
          value={draft.sample}
          onChange={(sample) => onChange({ sample })}
        />
      )}
      <FindingList findings={findings.header} />
    </Group>
  )
}

/** Returns the next placeholder: the next number, or a name if the text uses names. */
function nextPlaceholder(text: string): string {
  const names = placeholdersIn(text)
  if (names.some((name) => !/^\d+$/.test(name))) return '{{name}}'
  return `{{${Math.max(0, ...names.map(Number)) + 1}}}`
}

function Body({ draft, findings, isTried, onChange }: Props) {
  const field = useRef<HTMLTextAreaElement>(null)
  /** The selection when the field lost the focus; undefined before. */
  const selection = useRef<{ start: number; end: number }>(undefined)
  const { body } = draft
  const addPlaceholder = () => {
    const { start, end } = selection.current ?? { start: body.length, end: body.length }
    const before = body.slice(0, start)
    const added = `${/\s$|^$/.test(before) ? '' : ' '}${nextPlaceholder(body)}`
    const caret = start + added.length
    selection.current = { start: caret, end: caret }
    onChange({ body: before + added + body.slice(end) })
    requestAnimationFrame(() => {
      field.current?.focus()
      field.current?.setSelectionRange(caret, caret)
    })
  }
  return (
    <Group title={t('body')}>
      <TextArea
        ref={field}
        label={t('body.text')}
        hint={`${t('body.hint')} ${countIn(body, BODY_MAX)}`}
        rows={5}
        error={isTried && !body.trim() ? t('body.required') : undefined}
        value={body}
        onChange={(event) => onChange({ body: valueIn(event) })}
        onBlur={({ currentTarget: { selectionStart: start, selectionEnd: end } }) => {
          selection.current = { start, end }
        }}
      />
      <div>
        <Button size="sm" icon={Braces} onClick={addPlaceholder}>
          {t('body.placeholder')}
        </Button>
      </div>
      <Examples draft={draft} onChange={onChange} part="body" text={body} />
      <FindingList findings={findings.body} />
    </Group>
  )
}

const Verification = ({ draft, findings, onChange }: Props) => (
  <Group title={t('code')}>
    <p className="text-ink-2">{t('code.text')}</p>
    <Switch
      label={t('code.advice')}
      checked={draft.hasAdvice}
      onChange={(hasAdvice) => onChange({ hasAdvice })}
    />
    <div className="grid gap-3 sm:grid-cols-2">
      <TextField
        label={t('code.minutes')}
        type="number"
        min={1}
        max={90}
        value={draft.codeMinutes}
        onChange={(event) => onChange({ codeMinutes: valueIn(event) })}
      />
      <TextField
        label={t('code.label')}
        hint={t('code.label.hint')}
        value={draft.codeLabel}
        onChange={(event) => onChange({ codeLabel: valueIn(event) })}
      />
    </div>
    <FindingList findings={[...findings.body, ...findings.footer, ...findings.buttons]} />
  </Group>
)

export function ContentFields(props: Props) {
  const { draft, findings, onChange } = props
  if (draft.category === 'AUTHENTICATION') return <Verification {...props} />
  return (
    <>
      <Header {...props} />
      <Body {...props} />
      <Group title={t('footer')}>
        <TextField
          label={t('footer.text')}
          hint={countIn(draft.footer, FOOTER_MAX)}
          value={draft.footer}
          onChange={(event) => onChange({ footer: valueIn(event) })}
        />
        <FindingList findings={findings.footer} />
      </Group>
      <Group title={t('buttons')}>
        <ButtonsEditor buttons={draft.buttons} onChange={(buttons) => onChange({ buttons })} />
        <FindingList findings={findings.buttons} />
      </Group>
    </>
  )
}
