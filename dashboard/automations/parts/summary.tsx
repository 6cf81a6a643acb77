/** Describes an automation in words, for members who can't change it. */
import type { Automation } from '../../../sdk/api.ts'
import { Section } from '../../kit/page.tsx'
import { fieldsFor, type Known } from '../fields.ts'
import type { Action } from '../queries.ts'
import { saidAction, saidCondition, saidTrigger, saidType } from '../said.ts'
import { t } from '../words.ts'

export function Summary({ automation, catalog }: { automation: Automation; catalog: Known }) {
  const { trigger, conditions, actions } = automation
  const fields = fieldsFor(trigger, catalog)
  return (
    <>
      <Section title={t('when')}>
        <p>{saidTrigger(trigger)}</p>
      </Section>
      {conditions.conditions.length > 0 && (
        <Section
          title={t('if')}
          description={conditions.conditions.length > 1 ? t(`match.${conditions.match}`) : undefined}
        >
          <ul className="flex list-disc flex-col gap-1 ps-5">
            {conditions.conditions.map((condition, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the rows keep their order
              <li key={index}>{saidCondition(fields, condition)}</li>
            ))}
          </ul>
        </Section>
      )}
      <Section title={t('then')}>
        <ol aria-label={t('steps')} className="flex list-decimal flex-col gap-2 ps-5">
          {actions.map((action, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the rows keep their order
            <li key={index}>
              <span className="font-medium">{saidType(action.type)}</span>
              <span className="block break-words text-ink-2">{saidAction(action as Action, catalog)}</span>
            </li>
          ))}
        </ol>
      </Section>
    </>
  )
}
