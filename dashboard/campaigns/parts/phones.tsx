/** Shows the messages of a campaign on a phone, as its recipients read them. */
import { Send } from 'lucide-react'
import { useState } from 'react'
import type { Template } from '../../../sdk/api.ts'
import { Button } from '../../kit/button.tsx'
import { chosenFile } from '../../templates/parts/header-file.ts'
import { PhonePreview } from '../../templates/parts/phone-preview.tsx'
import type { Preview } from '../queries.ts'
import { t } from '../texts.ts'
import { sampleValues } from './content-fields.tsx'
import { type Draft, exampleValues, variantName } from './plan.ts'
import type { TestContent } from './test-send.tsx'
import { useFieldChoices } from './value-fields.tsx'

type Examples = Preview['examples']

type ExamplesProps = { examples: Examples; chosenId: string | undefined; onChoose: (id: string) => void }

/** Chooses one of a few recipients. */
const ExampleButtons = ({ examples, chosenId, onChoose }: ExamplesProps) => (
  <fieldset aria-label={t('examples')} className="mb-3 flex flex-wrap justify-center gap-1.5">
    {examples.map(({ contactId, name, phone }) => (
      <button
        key={contactId}
        type="button"
        aria-pressed={contactId === chosenId}
        onClick={() => onChoose(contactId)}
        className="max-w-40 truncate rounded-md border px-2.5 py-1 text-sm text-ink-2 hover:bg-surface-3 aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-accent pointer-coarse:h-11"
      >
        {name ?? phone}
      </button>
    ))}
  </fieldset>
)

type PhoneProps = { template: Template; values: TestContent['values']; variant: string | undefined }

function Phone({ template, values, variant }: PhoneProps) {
  const preview = (
    <PhonePreview
      components={template.components}
      values={values}
      label={variant && t('variant.phone', { name: variant })}
      file={chosenFile(values.media, undefined)}
    />
  )
  if (!variant) return preview
  return (
    <section aria-label={t('variant', { name: variant })}>
      <h2 className="mb-2 font-semibold">{t('variant', { name: variant })}</h2>
      {preview}
    </section>
  )
}

type Props = {
  draft: Draft
  examples: Examples
  /** Asks for the number that gets these messages as a test. */
  onTest: (contents: TestContent[]) => void
}

export function Phones({ draft, examples, onTest }: Props) {
  const choices = useFieldChoices()
  const [chosenId, setChosenId] = useState<string>()
  const example = examples.find(({ contactId }) => contactId === chosenId) ?? examples[0]
  const contents = [draft, ...draft.others].flatMap((content, index): TestContent[] => {
    const { template, values } = content
    if (!template) return []
    const isPersonal = index === 0 && example !== undefined
    return [
      {
        template,
        values: isPersonal ? exampleValues(template, values, example) : sampleValues(content, choices),
      },
    ]
  })
  return (
    <div className="flex flex-col gap-6">
      {contents.map(({ template, values }, index) => (
        <div key={variantName(index)}>
          {index === 0 && examples.length > 0 && (
            <ExampleButtons examples={examples} chosenId={example?.contactId} onChoose={setChosenId} />
          )}
          <Phone
            template={template}
            values={values}
            variant={contents.length > 1 ? variantName(index) : undefined}
          />
        </div>
      ))}
      <div className="flex justify-center">
        <Button icon={Send} onClick={() => onTest(contents)}>
          {t('test.send')}
        </Button>
      </div>
    </div>
  )
}
