/** Edits the buyer: a contact, and the details printed on the document. */
import { UserRound, X } from 'lucide-react'
import { useState } from 'react'
import { Controller, type UseFormReturn } from 'react-hook-form'
import { ContactFinder } from '../../contacts/parts/contact-finder.tsx'
import { Button, IconButton } from '../../kit/button.tsx'
import { TextField } from '../../kit/field.tsx'
import { SelectField } from '../../kit/select.tsx'
import { t } from '../texts.ts'
import type { Draft } from './draft.ts'
import { isHidden } from './hidden.ts'
import { PLACE_CHOICES } from './places.ts'

type Props = {
  form: UseFormReturn<Draft>
  mayChoose: boolean
  /** The current place of supply. */
  place: string | undefined
}

/** Represents no choice: the customer's address determines the place. */
const OF_CUSTOMER = 'customer'

export function EditorCustomer({ form, mayChoose, place }: Props) {
  const { control, register, setValue, watch, formState } = form
  const { errors } = formState
  const [isFinding, setFinding] = useState(false)
  const contactId = watch('contactId')
  const field = (name: Exclude<keyof Draft, 'lines'>) => ({
    error: errors[name]?.message,
    ...register(name),
  })
  return (
    <fieldset className="flex min-w-0 flex-col gap-4">
      <legend className="mb-2 text-md font-semibold">{t('customer')}</legend>
      {mayChoose && (
        <div className="flex items-center gap-2">
          <Button icon={UserRound} onClick={() => setFinding(true)}>
            {t(contactId ? 'contact.other' : 'contact.choose')}
          </Button>
          {contactId && (
            <IconButton icon={X} label={t('contact.remove')} onClick={() => setValue('contactId', '')} />
          )}
        </div>
      )}
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <TextField label={t('field.name')} maxLength={200} {...field('name')} />
        <TextField label={t('field.gstin')} hint={t('field.gstin.hint')} maxLength={20} {...field('gstin')} />
        <TextField label={t('field.phone')} type="tel" maxLength={40} {...field('phone')} />
        <TextField label={t('field.email')} type="email" maxLength={254} {...field('email')} />
        <TextField className="sm:col-span-2" label={t('field.line1')} maxLength={200} {...field('line1')} />
        <TextField label={t('field.city')} maxLength={100} {...field('city')} />
        <div className="grid grid-cols-2 gap-4">
          <TextField label={t('field.state')} maxLength={100} {...field('state')} />
          <TextField label={t('field.postalCode')} maxLength={20} {...field('postalCode')} />
        </div>
        <Controller
          control={control}
          name="placeOfSupply"
          render={({ field: { value, onChange } }) => (
            <SelectField
              label={t('field.placeOfSupply')}
              error={errors.placeOfSupply?.message}
              value={value || OF_CUSTOMER}
              onChange={(chosen) => onChange(chosen === OF_CUSTOMER ? '' : chosen)}
              choices={[
                {
                  value: OF_CUSTOMER,
                  label:
                    value || !place
                      ? t('field.placeOfSupply.customer')
                      : t('field.placeOfSupply.customer.as', { place }),
                },
                ...PLACE_CHOICES,
              ]}
            />
          )}
        />
      </div>
      <ContactFinder
        open={isFinding}
        onClose={() => setFinding(false)}
        onChoose={(contact) => {
          const name = contact.displayName
          setValue('contactId', contact.id, { shouldDirty: true })
          if (name) setValue('name', name, { shouldDirty: true })
          if (contact.phone && !isHidden(contact.phone))
            setValue('phone', contact.phone, { shouldDirty: true })
          setFinding(false)
        }}
      />
    </fieldset>
  )
}
