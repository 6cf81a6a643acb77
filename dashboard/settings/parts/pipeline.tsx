import { useQuery } from '@tanstack/react-query'
import { Failed, SkeletonRows } from '../../kit/states.tsx'
import { pipelineQuery } from '../../leads/queries.ts'
import { LostReasons } from './lost-reasons.tsx'
import { Stages } from './stages.tsx'

/** Edits the stages of leads, and the reasons why leads are lost. */
export function PipelineSettings() {
  const { data: pipeline, error, isLoadingError, isPending, refetch } = useQuery(pipelineQuery)
  if (isPending) return <SkeletonRows />
  if (isLoadingError) return <Failed error={error} onRetry={() => void refetch()} />
  return (
    <>
      <Stages stages={pipeline.stages} />
      <LostReasons reasons={pipeline.lostReasons} />
    </>
  )
}
