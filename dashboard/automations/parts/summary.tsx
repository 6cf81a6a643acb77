/** Describes an automation as text, for members who can't change it. */
import type { Automation } from '../../../sdk/api.ts'
import { Section } from '../../kit/page.tsx'
import { type Catalog, fieldsFor } from '../fields.ts'
import { formatAction, formatCondition, formatTrigger, formatType } from '../format.ts'
import type { Action } from '../queries.ts'
import { t } from '../texts.ts'

export function Summary({ automation, catalog }: { automation: Automation; catalog: Catalog }) {
  const { trigger, conditions, actions } = automation
  const fields = fieldsFor(trigger, catalog)
  return (
    <>
      <Section title={t('when')}>
        <p>{formatTrigger(trigger)}</p>
      </Section>
      {conditions.conditions.length > 0 && (
        <Section
          title={t('if')}
          description={conditions.conditions.length > 1 ? t(`match.${conditions.match}`) : undefined}
        >
          <ul className="flex list-disc flex-col gap-1 ps-5">
            {conditions.conditions.map((condition, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the rows keep their order
              <li key={index}>{formatCondition(fields, condition)}</li>
            ))}
          </ul>
        </Section>
      )}
      <Section title={t('then')}>
        <ol aria-label={t('steps')} className="flex list-decimal flex-col gap-2 ps-5">
          {actions.map((action, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the rows keep their order
            <li key={index}>
              <span className="font-medium">{formatType(action.type)}</span>
              <span className="block break-words text-ink-2">{formatAction(action as Action, catalog)}</span>
            </li>
          ))}
        </ol>
      </Section>
    </>
  )
}
