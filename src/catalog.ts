/** The table of contents: every endpoint, event and job of the service, in the order of the specification. */
import type { Endpoint } from './core/endpoint.ts'
import type { EventKind } from './core/event.ts'
import type { JobKind } from './core/job.ts'
import type { Sealer } from './core/sealing.ts'
import { getOpenapi } from './http/openapi.ts'
import { getAnalytics } from './modules/analytics/endpoints.ts'
import {
  deleteBroadcast,
  getBroadcastRecipients,
  getBroadcasts,
  getOneBroadcast,
  postBroadcast,
  postBroadcastPause,
  postBroadcastResume,
  postBroadcastStart,
} from './modules/broadcasts/endpoints/broadcasts.ts'
import { postBroadcastPreview } from './modules/broadcasts/endpoints/preview.ts'
import {
  getOneSegment,
  getSegments,
  patchSegment,
  postSegment,
  removeSegment,
} from './modules/broadcasts/endpoints/segments.ts'
import { broadcastCompleted } from './modules/broadcasts/events.ts'
import { postContactsBulk, postContactsBulkTags } from './modules/contacts/endpoints/bulk.ts'
import {
  deleteContactField,
  getContactFields,
  patchContactField,
  postContactField,
} from './modules/contacts/endpoints/contact-fields.ts'
import {
  deleteContact,
  getContacts,
  getOneContact,
  patchContact,
  postContact,
} from './modules/contacts/endpoints/contacts.ts'
import { deleteTag, getTags, patchTag, postTag } from './modules/contacts/endpoints/tags.ts'
import { contactCreated, contactDeleted, contactUpdated } from './modules/contacts/events.ts'
import { retagContacts } from './modules/contacts/jobs.ts'
import { postContactBlock, postContactUnblock } from './modules/conversations/endpoints/block.ts'
import {
  getConversationNotes,
  getConversations,
  getOneConversation,
  patchConversation,
  postConversation,
  postConversationNote,
} from './modules/conversations/endpoints/conversations.ts'
import { conversationClosed, conversationOpened } from './modules/conversations/events.ts'
import { getLeads } from './modules/crm/endpoints/lead-lists.ts'
import {
  getLeadTimeline,
  getOneLead,
  patchLead,
  postLead,
  postLeadNote,
} from './modules/crm/endpoints/leads.ts'
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
} from './modules/crm/endpoints/pipeline.ts'
import { getTasks, patchTask, postTask } from './modules/crm/endpoints/tasks.ts'
import { getViews, patchView, postView, removeView } from './modules/crm/endpoints/views.ts'
import {
  formSubmitted,
  leadAssigned,
  leadCreated,
  leadRecaptured,
  leadStageChanged,
} from './modules/crm/events.ts'
import { taskCompleted, taskCreated } from './modules/crm/task-events.ts'
import { getFlows, postFlowSend } from './modules/flows/endpoints.ts'
import { postMedia } from './modules/media/endpoints.ts'
import { eraseFile, fetchMedia, sweepUpload } from './modules/media/jobs.ts'
import {
  callMissed,
  flowCompleted,
  messageFailed,
  messageReceived,
  messageStatus,
} from './modules/messages/events.ts'
import {
  getMessageById,
  getMessageMedia,
  getMessages,
  postConversationRead,
} from './modules/messages/reading/endpoints.ts'
import { postSend } from './modules/messages/sending/endpoints.ts'
import {
  getQuickReplies,
  patchQuickReply,
  postQuickReply,
  removeQuickReply,
} from './modules/quick-replies/endpoints.ts'
import { getSandboxClock, postSandboxClock, postSandboxInbound } from './modules/sandbox/endpoints.ts'
import {
  deleteTemplate,
  getOneTemplate,
  getTemplates,
  postTemplate,
  postTemplatesSync,
} from './modules/templates/endpoints.ts'
import { templateApproved, templateCategoryChanged, templateRejected } from './modules/templates/events.ts'
import { settleTemplate } from './modules/templates/jobs.ts'
import { notifyOwner } from './modules/webhooks/jobs.ts'
import { webhookEndpoints } from './modules/webhooks/registration/endpoints.ts'
import { getActivity, getMe, getPhoneNumbers, getTeam } from './modules/workspaces/endpoints.ts'

export const EVENTS: EventKind[] = [
  messageReceived,
  messageStatus,
  messageFailed,
  templateApproved,
  templateRejected,
  templateCategoryChanged,
  contactCreated,
  contactUpdated,
  contactDeleted,
  conversationOpened,
  conversationClosed,
  flowCompleted,
  callMissed,
  broadcastCompleted,
  leadCreated,
  leadRecaptured,
  formSubmitted,
  leadStageChanged,
  leadAssigned,
  taskCreated,
  taskCompleted,
]

/** The endpoints as they are served; secrets are sealed with `sealer`. */
export const endpoints = (sealer: Sealer): Endpoint[] => [
  getOpenapi,
  postSend,
  postMedia,
  getMe,
  getMessages,
  getMessageById,
  getMessageMedia,
  getConversations,
  getContacts,
  getPhoneNumbers,
  getTeam,
  getTemplates,
  getAnalytics,
  getFlows,
  getQuickReplies,
  postContact,
  getOneContact,
  patchContact,
  deleteContact,
  postTemplate,
  postBroadcast,
  getBroadcasts,
  getOneBroadcast,
  deleteBroadcast,
  postBroadcastStart,
  postBroadcastPause,
  postBroadcastResume,
  getOneConversation,
  patchConversation,
  getConversationNotes,
  postConversationNote,
  getLeads,
  postLead,
  getOneLead,
  patchLead,
  postLeadNote,
  getLeadTimeline,
  getTasks,
  postTask,
  patchTask,
  getPipeline,
  postStage,
  patchStage,
  deleteStage,
  postLostReason,
  patchLostReason,
  deleteLostReason,
  getLeadAssignment,
  patchLeadAssignment,
  getViews,
  postView,
  patchView,
  removeView,
  ...webhookEndpoints({ events: EVENTS, sealer }),
  getOneTemplate,
  deleteTemplate,
  postTemplatesSync,
  getBroadcastRecipients,
  postBroadcastPreview,
  getSegments,
  postSegment,
  getOneSegment,
  patchSegment,
  removeSegment,
  postFlowSend,
  postQuickReply,
  patchQuickReply,
  removeQuickReply,
  postConversation,
  postConversationRead,
  postContactsBulk,
  postContactsBulkTags,
  postContactBlock,
  postContactUnblock,
  getTags,
  postTag,
  patchTag,
  deleteTag,
  getContactFields,
  postContactField,
  patchContactField,
  deleteContactField,
  postSandboxInbound,
  getActivity,
  getSandboxClock,
  postSandboxClock,
]

const readOnly = (): never => {
  throw new Error('this list of endpoints is for reading; it is not served')
}

/** The same list for documents and tests. */
export const ENDPOINTS: Endpoint[] = endpoints({ seal: readOnly, open: readOnly })

export const JOB_KINDS: JobKind[] = [
  retagContacts,
  fetchMedia,
  eraseFile,
  sweepUpload,
  settleTemplate,
  notifyOwner,
]
