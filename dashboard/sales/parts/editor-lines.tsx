/** Edits the items: name, quantity, price, and tax; the server computes the amounts. */
import { Plus, Trash2 } from 'lucide-react'
import { type UseFormReturn, useFieldArray } from 'react-hook-form'
import { Button, IconButton } from '../../kit/button.tsx'
import { TextField } from '../../kit/field.tsx'
import { t } from '../texts.ts'
import { type Draft, emptyLine, type LineDraft } from './draft.ts'
import { minorOf, numberOf } from './money.ts'

const MAX_LINES = 100

/** The heading of a column, and the full label for screen readers. */
const Label = ({ short, full }: { short: string; full: string }) => (
  <>
    <span aria-hidden>{short}</span>
    <span className="sr-only">{full}</span>
  </>
)

type Texts = Exclude<keyof LineDraft, 'kept'>
const isPart = (text: string): boolean => text.trim() === '' || (numberOf(text) ?? 101) <= 100

type Props = { form: UseFormReturn<Draft>; currency: string; amounts: readonly (string | undefined)[] }

export function EditorLines({ form, currency, amounts }: Props) {
  const { control, register, formState } = form
  const { fields, append, remove } = useFieldArray({ control, name: 'lines' })
  const checks: Partial<Record<Texts, (text: string) => true | string>> = {
    description: (text) => text.trim() !== '' || t('line.description.missing'),
    quantity: (text) => (numberOf(text) ?? 0) > 0 || t('line.quantity.wrong'),
    price: (text) => minorOf(text, currency) !== undefined || t('line.price.wrong'),
    discount: (text) => isPart(text) || t('line.percent.wrong'),
    taxRate: (text) => isPart(text) || t('line.percent.wrong'),
  }
  const field = (index: number, name: Texts) => ({
    label: <Label short={t(`line.${name}.short`)} full={t(`line.${name}`, { number: index + 1 })} />,
    error: formState.errors.lines?.[index]?.[name]?.message,
    ...register(`lines.${index}.${name}`, { validate: checks[name] ?? (() => true) }),
  })
  return (
    <fieldset className="flex min-w-0 flex-col gap-3">
      <legend className="mb-2 text-md font-semibold">{t('lines')}</legend>
      {fields.map(({ id }, index) => (
        <div key={id} className="flex flex-col gap-2 rounded-lg border p-3">
          <div className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-2">
            <TextField maxLength={300} {...field(index, 'description')} />
            <IconButton
              icon={Trash2}
              className="mt-6"
              label={t('line.remove', { number: index + 1 })}
              disabled={fields.length === 1}
              onClick={() => remove(index)}
            />
          </div>
          <div className="grid grid-cols-2 items-start gap-2 sm:grid-cols-6">
            <TextField inputMode="decimal" {...field(index, 'quantity')} />
            <TextField maxLength={20} placeholder="NOS" {...field(index, 'unit')} />
            <TextField inputMode="decimal" {...field(index, 'price')} />
            <TextField inputMode="decimal" {...field(index, 'discount')} />
            <TextField inputMode="decimal" {...field(index, 'taxRate')} />
            <TextField inputMode="numeric" maxLength={8} {...field(index, 'hsn')} />
          </div>
          {amounts[index] !== undefined && (
            <p className="text-end text-sm text-ink-2 tabular-nums">{amounts[index]}</p>
          )}
        </div>
      ))}
      {fields.length < MAX_LINES && (
        <Button
          size="sm"
          variant="ghost"
          icon={Plus}
          className="self-start"
          onClick={() => append(emptyLine())}
        >
          {t('line.add')}
        </Button>
      )}
    </fieldset>
  )
}
