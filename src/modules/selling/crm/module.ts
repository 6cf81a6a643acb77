import { routes } from '../../../core/endpoint.ts'
import { getLeadSummary, getLeads } from './endpoints/lead-lists.ts'
import { getLeadTimeline, getOneLead, patchLead, postLead, postLeadNote } from './endpoints/leads.ts'
import {
  deleteLostReason,
  deleteStage,
  getLeadAssignment,
  getPipeline,
  patchLeadAssignment,
  patchLostReason,
  patchStage,
  postLostReason,
  postStage,
} from './endpoints/pipeline.ts'
import {
  getLeadSubmission,
  getLeadSubmissions,
  patchLeadSubmission,
  postSubmissionLead,
} from './endpoints/submissions.ts'
import { getTasks, patchTask, postTask } from './endpoints/tasks.ts'
import { deleteView, getViews, patchView, postView } from './endpoints/views.ts'
import { formSubmitted, leadAssigned, leadCreated, leadRecaptured, leadStageChanged } from './events.ts'
import { notifyOfSubmission } from './jobs.ts'
import { taskCompleted, taskCreated } from './task-events.ts'
import { crmCountsSource } from './work/crm-counts-source.ts'
import { dueTasksSource } from './work/due-tasks-source.ts'
import { submissionRetentionSource } from './work/submission-retention-source.ts'

export const crm = {
  endpoints: routes({
    'GET /leads': getLeads,
    'GET /leads/summary': getLeadSummary,
    'POST /leads': postLead,
    'GET /leads/:id': getOneLead,
    'PATCH /leads/:id': patchLead,
    'POST /leads/:id/notes': postLeadNote,
    'GET /leads/:id/timeline': getLeadTimeline,
    'GET /lead-submissions': getLeadSubmissions,
    'GET /lead-submissions/:id': getLeadSubmission,
    'PATCH /lead-submissions/:id': patchLeadSubmission,
    'POST /lead-submissions/:id/lead': postSubmissionLead,
    'GET /tasks': getTasks,
    'POST /tasks': postTask,
    'PATCH /tasks/:id': patchTask,
    'GET /pipeline': getPipeline,
    'POST /pipeline/stages': postStage,
    'PATCH /pipeline/stages/:id': patchStage,
    'DELETE /pipeline/stages/:id': deleteStage,
    'POST /pipeline/lost-reasons': postLostReason,
    'PATCH /pipeline/lost-reasons/:id': patchLostReason,
    'DELETE /pipeline/lost-reasons/:id': deleteLostReason,
    'GET /pipeline/assignment': getLeadAssignment,
    'PATCH /pipeline/assignment': patchLeadAssignment,
    'GET /views': getViews,
    'POST /views': postView,
    'PATCH /views/:id': patchView,
    'DELETE /views/:id': deleteView,
  }),
  events: [
    leadCreated,
    leadRecaptured,
    formSubmitted,
    leadStageChanged,
    leadAssigned,
    taskCreated,
    taskCompleted,
  ],
  jobs: [notifyOfSubmission],
  sources: {
    'crm-counts': crmCountsSource,
    'due-tasks': dueTasksSource,
    'submission-retention': submissionRetentionSource,
  },
}
