import { useForm } from 'react-hook-form'
import { Button } from '../kit/button.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { TextField } from '../kit/field.tsx'
import type { Customer } from './customers.ts'
import { t } from './words.ts'

const NUMBER = /^\+\d{8,15}$/

type Props = { open: boolean; onClose: () => void; onAdd: (customer: Customer) => void }

/** Somebody more to play. */
export function NewCustomer({ open, onClose, onAdd }: Props) {
  const { register, handleSubmit, formState, reset } = useForm<Customer>()
  const submit = handleSubmit(({ name, phone }) => {
    onAdd({ phone: phone.replace(/[\s()-]/g, ''), name: name.trim() || phone })
    reset()
    onClose()
  })
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t('customer.new.title')}
      actions={
        <Button variant="primary" onClick={() => void submit()}>
          {t('customer.add')}
        </Button>
      }
    >
      <form onSubmit={submit} className="flex flex-col gap-4">
        <TextField label={t('customer.name')} autoFocus {...register('name')} />
        <TextField
          label={t('customer.number')}
          hint={t('customer.number.hint')}
          type="tel"
          error={formState.errors.phone && t('customer.invalid')}
          {...register('phone', { validate: (phone) => NUMBER.test(phone.replace(/[\s()-]/g, '')) })}
        />
        <button type="submit" hidden />
      </form>
    </Dialog>
  )
}
