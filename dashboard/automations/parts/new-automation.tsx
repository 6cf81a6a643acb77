/** Creates an automation, from a recipe or empty. */
import { useMutation, useQuery } from '@tanstack/react-query'
import type { Automation } from '../../../sdk/api.ts'
import type { WorkspaceSession } from '../../api/session.ts'
import { Button } from '../../kit/button.tsx'
import { Callout } from '../../kit/callout.tsx'
import { SkeletonRows } from '../../kit/states.tsx'
import { notifyError } from '../../shell/notify-error.ts'
import { teamQuery } from '../../tasks/queries.ts'
import { draftOf, emptyDraft } from '../draft.ts'
import { assignInTurn, assignmentQuery } from '../queries.ts'
import { RECIPES } from '../recipes.ts'
import { t } from '../texts.ts'
import { useCatalog } from '../use-catalog.ts'
import { Builder } from './builder.tsx'

/** Turns on the assignment of new leads in turn to members who answer customers. */
function AssignmentSwitch() {
  const { data: assignment } = useQuery(assignmentQuery)
  const { data: team = [] } = useQuery(teamQuery)
  const { mutate, isPending } = useMutation({
    mutationFn: () => assignInTurn(team.filter(({ role }) => role !== 'viewer').map(({ id }) => id)),
    onError: notifyError,
  })
  if (!assignment) return null
  if (assignment.mode === 'round_robin') return <span>{t('turns.done')}</span>
  return (
    <Button size="sm" busy={isPending} onClick={() => mutate()}>
      {t('turns.on')}
    </Button>
  )
}

type Props = {
  recipe: string | undefined
  workspace: WorkspaceSession['workspace']
  onSaved: (automation: Automation, secret: string | null) => void
}

export function NewAutomation({ recipe, workspace, onSaved }: Props) {
  const catalog = useCatalog()
  const chosen = RECIPES.find(({ id }) => id === recipe)
  if (!catalog) return <SkeletonRows />
  return (
    <>
      {chosen?.needs && (
        <div className="mb-4">
          <Callout action={chosen.needs === 'roundRobin' && <AssignmentSwitch />}>
            {t(`recipe.needs.${chosen.needs}`)}
          </Callout>
        </div>
      )}
      <Builder
        key={recipe}
        first={chosen ? draftOf(chosen.body) : emptyDraft()}
        catalog={catalog}
        workspace={workspace}
        onSaved={onSaved}
      />
    </>
  )
}
