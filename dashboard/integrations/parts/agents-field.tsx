import { Controller, type UseFormReturn } from 'react-hook-form'
import { Section } from '../../kit/page.tsx'
import { Switch } from '../../kit/switch.tsx'
import { t } from '../texts.ts'
import type { Values } from './shape.ts'

/** Turns the assistant on for agents in the inbox. */
export const AgentsField = ({ form, disabled }: { form: UseFormReturn<Values>; disabled: boolean }) => (
  <Section title={t('agents')} description={t('agents.text')}>
    <Controller
      control={form.control}
      name="settings.forAgents"
      render={({ field: { value, onChange } }) => (
        <div className="max-w-2xl">
          <Switch label={t('agents.on')} checked={value} onChange={onChange} disabled={disabled} />
        </div>
      )}
    />
  </Section>
)
