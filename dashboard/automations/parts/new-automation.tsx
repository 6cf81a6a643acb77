/** Creates an automation: empty, from a recipe, or as a copy of another. */
import { useMutation, useQuery } from '@tanstack/react-query'
import type { Automation } from '../../../sdk/api.ts'
import type { WorkspaceSession } from '../../api/session.ts'
import { Button } from '../../kit/button.tsx'
import { Callout } from '../../kit/callout.tsx'
import { SkeletonRows } from '../../kit/states.tsx'
import { notifyError } from '../../shell/notify-error.ts'
import { teamQuery } from '../../tasks/queries.ts'
import { type Draft, draftOf, emptyDraft } from '../draft.ts'
import { assignInTurn, assignmentQuery, automationQuery } from '../queries.ts'
import { RECIPES, type Recipe } from '../recipes.ts'
import { t } from '../texts.ts'
import { useCatalog } from '../use-catalog.ts'
import { Builder } from './builder.tsx'

const NAME_MAX = 120

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
  /** The automation to copy. */
  copiedId: string | undefined
  workspace: WorkspaceSession['workspace']
  onSaved: (automation: Automation, secret: string | null) => void
}

/** Returns the first draft of a new automation. */
function firstDraft(recipe: Recipe | undefined, copied: Automation | undefined): Draft {
  if (copied) {
    const name = t('copy.name', { name: copied.name }).slice(0, NAME_MAX)
    return { ...draftOf(copied), name }
  }
  return recipe ? draftOf(recipe.body) : emptyDraft()
}

export function NewAutomation({ recipe, copiedId, workspace, onSaved }: Props) {
  const catalog = useCatalog()
  const copied = useQuery({ ...automationQuery(copiedId ?? ''), enabled: copiedId !== undefined })
  const chosen = RECIPES.find(({ id }) => id === recipe)
  if (!catalog || copied.isLoading) return <SkeletonRows />
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
        key={recipe ?? copiedId}
        first={firstDraft(chosen, copied.data)}
        catalog={catalog}
        workspace={workspace}
        onSaved={onSaved}
      />
    </>
  )
}
