/** Makes the simulated shop report an order, for the customers of the sandbox phone and any other. */
import { Controller, useForm } from 'react-hook-form'
import { showIssues } from '../../api/form.ts'
import { Button } from '../../kit/button.tsx'
import { FormFault } from '../../kit/callout.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { TextField } from '../../kit/field.tsx'
import { SelectField } from '../../kit/select.tsx'
import { Switch } from '../../kit/switch.tsx'
import { workspaceNow } from '../../kit/time.tsx'
import { notify } from '../../kit/toasts.tsx'
import { type SimulatedOrder, simulateOrder } from '../queries.ts'
import { t } from '../texts.ts'

const STORES = ['shopify', 'woocommerce'] as const
const TYPES = ['order_placed', 'order_paid', 'order_shipped', 'order_cancelled'] as const
const REFERENCES = 9_000

/** Returns a new order number each time; the same number would report the same order again. */
const nextReference = (): string => `#${1_000 + (Math.floor(workspaceNow() / 1_000) % REFERENCES)}`

export function TestOrder({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { register, control, handleSubmit, setError, formState } = useForm<SimulatedOrder>({
    defaultValues: {
      store: 'shopify',
      type: 'order_placed',
      reference: nextReference(),
      from: '+919812345678',
      name: 'Asha Rao',
      cod: true,
    },
  })
  const { errors, isSubmitting } = formState
  const submit = handleSubmit(async (values) => {
    try {
      await simulateOrder(values)
      notify({ title: t('try.done'), kind: 'good' })
      onClose()
    } catch (error) {
      showIssues(error, ['store', 'type', 'reference', 'from', 'name', 'cod'], setError)
    }
  })
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t('try')}
      description={t('try.text')}
      actions={
        <Button variant="primary" onClick={() => void submit()} busy={isSubmitting}>
          {t('try')}
        </Button>
      }
    >
      <form onSubmit={submit} noValidate className="flex flex-col gap-4">
        <FormFault fault={errors.root} />
        <TextField label={t('try.reference')} error={errors.reference?.message} {...register('reference')} />
        <TextField label={t('try.from')} type="tel" error={errors.from?.message} {...register('from')} />
        <TextField label={t('try.name')} error={errors.name?.message} {...register('name')} />
        <Controller
          control={control}
          name="store"
          render={({ field: { value, onChange } }) => (
            <SelectField
              label={t('try.store')}
              value={value}
              onChange={onChange}
              choices={STORES.map((store) => ({ value: store, label: t(`name.${store}`) }))}
            />
          )}
        />
        <Controller
          control={control}
          name="type"
          render={({ field: { value, onChange } }) => (
            <SelectField
              label={t('try.type')}
              value={value}
              onChange={onChange}
              choices={TYPES.map((eventType) => ({ value: eventType, label: t(`type.${eventType}`) }))}
            />
          )}
        />
        <Controller
          control={control}
          name="cod"
          render={({ field: { value, onChange } }) => (
            <Switch label={t('try.cod')} checked={value} onChange={onChange} />
          )}
        />
        <button type="submit" hidden />
      </form>
    </Dialog>
  )
}
