import { Section } from '../../kit/page.tsx'
import type { Name } from '../queries.ts'
import { t } from '../texts.ts'

const STEPS = ['1', '2', '3'] as const

/** Gives the steps in the other system, with its own labels. */
export const Clicks = ({ name }: { name: Exclude<Name, 'simulator'> }) => (
  <Section title={t('steps', { name: t(`name.${name}`) })}>
    <ol className="flex max-w-2xl list-decimal flex-col gap-1.5 ps-5 text-ink-2">
      {STEPS.map((step) => (
        <li key={step}>{t(`${name}.step.${step}`)}</li>
      ))}
    </ol>
  </Section>
)
