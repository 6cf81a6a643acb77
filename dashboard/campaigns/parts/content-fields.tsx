/** Chooses a template and its values, beside the message on a phone. */
import { useParams } from '@tanstack/react-router'
import type { Template } from '../../../sdk/api.ts'
import { fieldsOf, isOnlyByApi, type Values } from '../../inbox/parts/template-fields.ts'
import { Callout } from '../../kit/callout.tsx'
import { SelectField } from '../../kit/select.tsx'
import { chosenFile, sampleOf } from '../../templates/parts/header-file.ts'
import { languageName } from '../../templates/parts/languages.ts'
import { PhonePreview } from '../../templates/parts/phone-preview.tsx'
import { resultLine } from '../../templates/parts/result-line.ts'
import { categoryOf } from '../../templates/parts/status.tsx'
import { t } from '../texts.ts'
import { type Content, emptyContent } from './plan.ts'
import { useFieldChoices, ValueFields } from './value-fields.tsx'

/** Returns the values for the phone: a field of the contact is shown by its fallback or its name. */
export const sampleValues = (
  { values, sources }: Content,
  choices: ReturnType<typeof useFieldChoices>,
): Values => ({
  ...values,
  ...Object.fromEntries(
    Object.entries(sources).map(([id, { field, fallback }]) => [
      id,
      fallback.trim() || `[${choices.find(({ value }) => value === field)?.label ?? field}]`,
    ]),
  ),
})

/** Returns the category of a template, with its results of the last 30 days. */
const hintOf = (template: Template): string =>
  [categoryOf(template), resultLine(template)].filter((part) => part !== null).join(' · ')

type Props = {
  content: Content
  templates: readonly Template[]
  onChange: (patch: Partial<Content>) => void
  isTried: boolean
  /** The sending number. */
  phoneNumberId: string | undefined
  /** The name of the phone, if there are several. */
  phoneLabel?: string | undefined
}

export function ContentFields({ content, templates, onChange, isTried, phoneNumberId, phoneLabel }: Props) {
  const choices = useFieldChoices()
  const { workspace } = useParams({ strict: false }) as { workspace: string }
  const { template } = content
  return (
    <div className="grid items-start gap-8 lg:grid-cols-[1fr_20rem]">
      <div className="flex flex-col gap-4">
        <SelectField
          label={t('template')}
          value={template?.id ?? null}
          error={isTried && !template ? t('template.required') : undefined}
          onChange={(id) =>
            onChange({ ...emptyContent(), template: templates.find((candidate) => candidate.id === id) })
          }
          choices={templates.map((choice) => ({
            value: choice.id,
            label: `${choice.name} · ${languageName(choice.language)}`,
            hint: isOnlyByApi(choice) ? t('template.onlyByApi') : hintOf(choice),
            disabled: isOnlyByApi(choice),
          }))}
        />
        {template && (
          <ValueFields
            content={content}
            onChange={onChange}
            isTried={isTried}
            template={template}
            phoneNumberId={phoneNumberId}
          />
        )}
        {template && fieldsOf(template).length > 0 && Object.keys(content.sources).length === 0 && (
          <Callout>{t('field.same')}</Callout>
        )}
      </div>
      {template && (
        <PhonePreview
          components={template.components}
          values={sampleValues(content, choices)}
          label={phoneLabel}
          file={chosenFile(content.values.media, sampleOf(template, workspace))}
        />
      )}
    </div>
  )
}
