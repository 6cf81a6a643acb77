import { Plus, Trash2 } from 'lucide-react'
import { type UseFormReturn, useFieldArray } from 'react-hook-form'
import { Button, IconButton } from '../../kit/button.tsx'
import { TextField } from '../../kit/field.tsx'
import { t } from '../texts.ts'
import { paiseOf } from './amount.ts'
import { type Draft, emptyItem, quantityOf } from './draft.ts'

const [MAX_ITEMS, MAX_NAME] = [50, 60]

/** The heading of a column, and the full label for screen readers. */
const Label = ({ short, full }: { short: string; full: string }) => (
  <>
    <span aria-hidden>{short}</span>
    <span className="sr-only">{full}</span>
  </>
)

/** Edits the items: rows of name, quantity, and price. */
export function Items({ control, register, formState }: UseFormReturn<Draft>) {
  const { fields, append, remove } = useFieldArray({ control, name: 'items' })
  const errors = formState.errors.items
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 text-sm font-medium">{t('ask.items')}</legend>
      {fields.map(({ id }, index) => {
        const number = index + 1
        return (
          <div
            key={id}
            className="grid grid-cols-[4.5rem_minmax(0,1fr)_auto] items-start gap-2 sm:grid-cols-[minmax(0,1fr)_4.5rem_6rem_auto]"
          >
            <TextField
              label={<Label short={t('ask.item.name.short')} full={t('ask.item.name', { number })} />}
              className="max-sm:col-span-3"
              maxLength={MAX_NAME}
              error={errors?.[index]?.name?.message}
              {...register(`items.${index}.name`, {
                validate: (name) => name.trim() !== '' || t('ask.item.name.missing'),
              })}
            />
            <TextField
              label={<Label short={t('ask.item.quantity.short')} full={t('ask.item.quantity', { number })} />}
              inputMode="numeric"
              error={errors?.[index]?.quantity?.message}
              {...register(`items.${index}.quantity`, {
                validate: (text) => quantityOf(text) !== undefined || t('ask.item.quantity.wrong'),
              })}
            />
            <TextField
              label={<Label short={t('ask.item.price.short')} full={t('ask.item.price', { number })} />}
              inputMode="decimal"
              error={errors?.[index]?.price?.message}
              {...register(`items.${index}.price`, {
                validate: (text) => (paiseOf(text) ?? 0) > 0 || t('ask.item.price.wrong'),
              })}
            />
            <IconButton
              icon={Trash2}
              className="mt-6"
              label={t('ask.item.remove', { number })}
              disabled={fields.length === 1}
              onClick={() => remove(index)}
            />
          </div>
        )
      })}
      {fields.length < MAX_ITEMS && (
        <Button
          size="sm"
          variant="ghost"
          icon={Plus}
          className="self-start"
          onClick={() => append(emptyItem())}
        >
          {t('ask.item.add')}
        </Button>
      )}
    </fieldset>
  )
}
