import { useForm } from 'react-hook-form'
import { TextField } from '../kit/field.tsx'
import { FormDialog } from '../kit/form-dialog.tsx'
import type { Customer } from './customers.ts'
import { t } from './texts.ts'

const NUMBER = /^\+\d{8,15}$/

type Props = { open: boolean; onClose: () => void; onAdd: (customer: Customer) => void }

/** Adds a customer to the phone. */
export function NewCustomer({ open, onClose, onAdd }: Props) {
  const { register, handleSubmit, formState, reset } = useForm<Customer>()
  const submit = handleSubmit(({ name, phone }) => {
    onAdd({ phone: phone.replace(/[\s()-]/g, ''), name: name.trim() || phone })
    reset()
    onClose()
  })
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={t('customer.new.title')}
      action={t('customer.add')}
      onSubmit={submit}
    >
      <TextField label={t('customer.name')} autoFocus {...register('name')} />
      <TextField
        label={t('customer.number')}
        hint={t('customer.number.hint')}
        type="tel"
        error={formState.errors.phone && t('customer.invalid')}
        {...register('phone', { validate: (phone) => NUMBER.test(phone.replace(/[\s()-]/g, '')) })}
      />
    </FormDialog>
  )
}
