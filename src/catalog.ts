/** The catalog: every endpoint, event, job, and work source of the service, in the order of the specification. */
import { type Endpoint, routes } from './core/endpoint.ts'
import type { EventKind } from './core/event.ts'
import type { JobKind } from './core/job.ts'
import type { Sealer } from './core/sealing.ts'
import { answersSource } from './http/endpoint/answers-source.ts'
import { getOpenapi } from './http/openapi/openapi.ts'
import {
  deleteAutoReply,
  getAutoReplies,
  getOneAutoReply,
  patchAutoReply,
  postAutoReply,
} from './modules/automating/auto-replies/endpoints.ts'
import { automationEndpoints } from './modules/automating/automations/endpoints.ts'
import { callWebhook } from './modules/automating/automations/jobs.ts'
import { automationRetentionSource } from './modules/automating/automations/work/automation-retention-source.ts'
import { automationTimesSource } from './modules/automating/automations/work/automation-times-source.ts'
import { automationsSource } from './modules/automating/automations/work/automations-source.ts'
import {
  deleteBot,
  getBots,
  getOneBot,
  patchBot,
  postBot,
  postBotTest,
} from './modules/automating/bots/endpoints.ts'
import { askAssistant } from './modules/automating/bots/jobs.ts'
import { botSessionsSource } from './modules/automating/bots/work/bot-sessions-source.ts'
import {
  deleteOneImport,
  getImports,
  getOneImport,
  getRefusedRows,
  patchImport,
  postImport,
  postImportPreview,
} from './modules/automating/imports/endpoints.ts'
import { importFileRows } from './modules/automating/imports/jobs.ts'
import { importsRetentionSource } from './modules/automating/imports/work/imports-retention-source.ts'
import {
  deleteIntegration,
  getDeliveries,
  getOrders,
  integrationEndpoints,
} from './modules/automating/integrations/endpoints.ts'
import { orderCodResponse, orderEvent } from './modules/automating/integrations/events.ts'
import { markOrderInShop, registerShopWebhooks } from './modules/automating/integrations/jobs.ts'
import { codQuestionsSource } from './modules/automating/integrations/work/cod-questions-source.ts'
import { shopDeliveriesRetentionSource } from './modules/automating/integrations/work/shop-deliveries-retention-source.ts'
import { shopDeliveriesSource } from './modules/automating/integrations/work/shop-deliveries-source.ts'
import {
  getSandboxClock,
  postSandboxClock,
  postSandboxInbound,
  postSandboxSimulate,
} from './modules/automating/sandbox/endpoints.ts'
import { lostClocksSource } from './modules/automating/sandbox/work/lost-clocks-source.ts'
import {
  deleteBroadcast,
  getBroadcastRecipients,
  getBroadcasts,
  getOneBroadcast,
  postBroadcast,
  postBroadcastPause,
  postBroadcastResume,
  postBroadcastStart,
} from './modules/messaging/broadcasts/endpoints/broadcasts.ts'
import { getContacts } from './modules/messaging/broadcasts/endpoints/contact-list.ts'
import { postBroadcastPreview } from './modules/messaging/broadcasts/endpoints/preview.ts'
import {
  deleteSegment,
  getOneSegment,
  getSegments,
  patchSegment,
  postSegment,
} from './modules/messaging/broadcasts/endpoints/segments.ts'
import { broadcastCompleted } from './modules/messaging/broadcasts/events.ts'
import { fanOutSource } from './modules/messaging/broadcasts/work/fan-out-source.ts'
import { talliesSource } from './modules/messaging/broadcasts/work/tallies-source.ts'
import { postContactsBulk, postContactsBulkTags } from './modules/messaging/contacts/endpoints/bulk.ts'
import {
  deleteContactField,
  getContactFields,
  patchContactField,
  postContactField,
} from './modules/messaging/contacts/endpoints/contact-fields.ts'
import {
  deleteContact,
  getOneContact,
  patchContact,
  postContact,
  postContactMerge,
} from './modules/messaging/contacts/endpoints/contacts.ts'
import { deleteTag, getTags, patchTag, postTag } from './modules/messaging/contacts/endpoints/tags.ts'
import {
  contactCreated,
  contactDeleted,
  contactMerged,
  contactUpdated,
} from './modules/messaging/contacts/events.ts'
import { mergeTwoContacts, retagContacts } from './modules/messaging/contacts/jobs.ts'
import { mergeSpelled } from './modules/messaging/contacts/spelling-jobs.ts'
import { postContactBlock, postContactUnblock } from './modules/messaging/conversations/endpoints/block.ts'
import {
  getConversationCounts,
  getConversationNotes,
  getOneConversation,
  patchConversation,
  postConversation,
  postConversationNote,
  postConversationUnread,
} from './modules/messaging/conversations/endpoints/conversations.ts'
import { postPresence } from './modules/messaging/conversations/endpoints/presence.ts'
import { conversationClosed, conversationOpened } from './modules/messaging/conversations/events.ts'
import { windowsSource } from './modules/messaging/conversations/work/windows-source.ts'
import { getDraft, getDrafts, putDraft } from './modules/messaging/drafts/endpoints.ts'
import { getFlows, postFlowSend } from './modules/messaging/flows/endpoints.ts'
import { postMedia } from './modules/messaging/media/endpoints.ts'
import { eraseFile, fetchMedia, sweepUpload } from './modules/messaging/media/jobs.ts'
import {
  callMissed,
  flowCompleted,
  messageFailed,
  messageReceived,
  messageStatus,
} from './modules/messaging/messages/events.ts'
import { carryMerged } from './modules/messaging/messages/jobs.ts'
import {
  getRatingSettings,
  getRatings,
  putRatingSettings,
} from './modules/messaging/messages/ratings/endpoints.ts'
import { conversationRated } from './modules/messaging/messages/ratings/events.ts'
import {
  getConversations,
  getMessageById,
  getMessageMedia,
  getMessages,
  postConversationRead,
} from './modules/messaging/messages/reading/endpoints.ts'
import { postSend } from './modules/messaging/messages/sending/endpoints.ts'
import { handoverSource } from './modules/messaging/messages/work/handover-source.ts'
import { intakeRetentionSource } from './modules/messaging/messages/work/intake-retention-source.ts'
import { messageRetentionSource } from './modules/messaging/messages/work/message-retention-source.ts'
import { pricedSource } from './modules/messaging/messages/work/priced-source.ts'
import { ratingsSource } from './modules/messaging/messages/work/ratings-source.ts'
import { updatesSource } from './modules/messaging/messages/work/updates-source.ts'
import { wordsSource } from './modules/messaging/messages/work/words-source.ts'
import {
  deleteQuickReply,
  getQuickReplies,
  patchQuickReply,
  postQuickReply,
} from './modules/messaging/quick-replies/endpoints.ts'
import {
  deleteTemplate,
  getOneTemplate,
  getTemplates,
  postTemplate,
  postTemplatesLint,
  postTemplatesSync,
} from './modules/messaging/templates/endpoints.ts'
import {
  templateApproved,
  templateCategoryChanged,
  templateRejected,
} from './modules/messaging/templates/events.ts'
import { settleTemplate } from './modules/messaging/templates/jobs.ts'
import {
  deleteAccountPasskey,
  deleteAccountTotp,
  patchAccount,
  postAccountPasskey,
  postAccountRecoveryCodes,
  postAccountTotp,
  postSessionConfirm,
} from './modules/platform/access/endpoints/account.ts'
import { deleteKey, getKeys, postKey } from './modules/platform/access/endpoints/keys.ts'
import { deleteMember, getMembers, memberEndpoints } from './modules/platform/access/endpoints/members.ts'
import { numberEndpoints, postNumberCheck } from './modules/platform/access/endpoints/numbers.ts'
import {
  getPreferences,
  getSecurity,
  getSignIns,
  patchPreferences,
  patchSecurity,
} from './modules/platform/access/endpoints/security.ts'
import {
  deleteOneSession,
  deleteSession,
  getSessions,
  sessionEndpoint,
} from './modules/platform/access/endpoints/session.ts'
import {
  getSignInOptions,
  postSignIn,
  postSignInPasskey,
  postSignInPasskeyOptions,
  postSignInRedeem,
  postSignInReset,
  postSignInToken,
  postSignInTotp,
} from './modules/platform/access/endpoints/sign-in.ts'
import { getUsage, postWorkspace, workspaceEndpoints } from './modules/platform/access/endpoints/workspace.ts'
import { accessRetentionSource } from './modules/platform/access/work/access-retention-source.ts'
import { accountMailsSource } from './modules/platform/access/work/account-mails-source.ts'
import { getBusinessHours, putBusinessHours } from './modules/platform/business-hours/endpoints.ts'
import { getNotifications, postNotificationsRead } from './modules/platform/notifications/endpoints.ts'
import { notifyOfBrokenNumber } from './modules/platform/notifications/jobs.ts'
import { notificationRetentionSource } from './modules/platform/notifications/work/notification-retention-source.ts'
import { deliveryEndpoints } from './modules/platform/webhooks/delivery/endpoints.ts'
import { eventEndpoints } from './modules/platform/webhooks/event-log/endpoints.ts'
import { notifyAdmins, notifyOwner } from './modules/platform/webhooks/jobs.ts'
import { registrationEndpoints } from './modules/platform/webhooks/registration/endpoints.ts'
import { catalogOf } from './modules/platform/webhooks/registration/subscriptions.ts'
import { deletedWebhooksSource } from './modules/platform/webhooks/work/deleted-webhooks-source.ts'
import { deliveriesSource } from './modules/platform/webhooks/work/deliveries-source.ts'
import { logDaysSource } from './modules/platform/webhooks/work/log-days-source.ts'
import { getActivity, getMe, getPhoneNumbers, getTeam } from './modules/platform/workspaces/endpoints.ts'
import { activityRetentionSource } from './modules/platform/workspaces/work/activity-retention-source.ts'
import { numberChecksSource } from './modules/platform/workspaces/work/number-checks-source.ts'
import { trialsSource } from './modules/platform/workspaces/work/trials-source.ts'
import { getAnalytics, getAnswerTimes, getFailureCauses } from './modules/reporting/analytics/endpoints.ts'
import { countsSource } from './modules/reporting/analytics/work/counts-source.ts'
import { getBilling, getCosts, getWallet } from './modules/reporting/billing/endpoints.ts'
import { walletChargesSource } from './modules/reporting/billing/work/wallet-charges-source.ts'
import { getSearch } from './modules/reporting/search/endpoints.ts'
import {
  getBookings,
  getOneBooking,
  patchBooking,
  postBooking,
  postBookingInvoice,
  postBookingLink,
} from './modules/selling/bookings/endpoints/bookings.ts'
import {
  deleteBookingService,
  deleteBookingStaff,
  getBookingServices,
  getBookingSettings,
  getBookingStaff,
  patchBookingService,
  patchBookingStaff,
  postBookingService,
  postBookingSettingsLink,
  postBookingStaff,
  putBookingSettings,
} from './modules/selling/bookings/endpoints/setup.ts'
import { getBookingSlots } from './modules/selling/bookings/endpoints/slots.ts'
import {
  bookingCancelled,
  bookingCompleted,
  bookingCreated,
  bookingNoShow,
  bookingRescheduled,
  bookingRestored,
} from './modules/selling/bookings/events.ts'
import { endHold, followAdvance, releaseErased } from './modules/selling/bookings/jobs.ts'
import { remindOfBooking } from './modules/selling/bookings/reminder-jobs.ts'
import { bookingsRetentionSource } from './modules/selling/bookings/work/bookings-retention-source.ts'
import { getLeadSummary, getLeads } from './modules/selling/crm/endpoints/lead-lists.ts'
import {
  getLeadTimeline,
  getOneLead,
  patchLead,
  postLead,
  postLeadNote,
} from './modules/selling/crm/endpoints/leads.ts'
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
} from './modules/selling/crm/endpoints/pipeline.ts'
import {
  getLeadSubmission,
  getLeadSubmissions,
  patchLeadSubmission,
  postSubmissionLead,
} from './modules/selling/crm/endpoints/submissions.ts'
import { getTasks, patchTask, postTask } from './modules/selling/crm/endpoints/tasks.ts'
import { deleteView, getViews, patchView, postView } from './modules/selling/crm/endpoints/views.ts'
import {
  formSubmitted,
  leadAssigned,
  leadCreated,
  leadRecaptured,
  leadStageChanged,
} from './modules/selling/crm/events.ts'
import { notifyOfSubmission } from './modules/selling/crm/jobs.ts'
import { taskCompleted, taskCreated } from './modules/selling/crm/task-events.ts'
import { crmCountsSource } from './modules/selling/crm/work/crm-counts-source.ts'
import { dueTasksSource } from './modules/selling/crm/work/due-tasks-source.ts'
import { submissionRetentionSource } from './modules/selling/crm/work/submission-retention-source.ts'
import {
  getCreditNote,
  getCreditNotes,
  getReceipt,
  postCreditNote,
} from './modules/selling/invoicing/endpoints/credit-notes.ts'
import { getInvoice, getInvoices } from './modules/selling/invoicing/endpoints/invoices.ts'
import {
  postSalesInvoicePayment,
  postSalesPaymentVoid,
} from './modules/selling/invoicing/endpoints/payments.ts'
import { postSalesInvoicePreview } from './modules/selling/invoicing/endpoints/preview.ts'
import {
  deleteQuotation,
  getQuotation,
  getQuotations,
  patchQuotation,
  postQuotation,
  postQuotationAccept,
  postQuotationCancel,
  postQuotationConvert,
  postQuotationDecline,
  postQuotationIssue,
  postQuotationLink,
  postQuotationRevise,
} from './modules/selling/invoicing/endpoints/quotations.ts'
import {
  deleteSalesInvoice,
  getSalesInvoice,
  getSalesInvoices,
  patchSalesInvoice,
  postSalesInvoice,
  postSalesInvoiceCancel,
  postSalesInvoiceConvert,
  postSalesInvoiceIssue,
  postSalesInvoiceLink,
  postSalesInvoiceRevise,
} from './modules/selling/invoicing/endpoints/sales-invoices.ts'
import { sendingEndpoints } from './modules/selling/invoicing/endpoints/sending.ts'
import { getSalesSettings, putSalesSettings } from './modules/selling/invoicing/endpoints/settings.ts'
import {
  invoiceCancelled,
  invoiceIssued,
  invoicePaid,
  invoicePaymentRecorded,
  invoicePaymentVoided,
  invoiceUpdated,
  quotationAccepted,
  quotationDeclined,
} from './modules/selling/invoicing/events.ts'
import { followDocumentLink } from './modules/selling/invoicing/jobs.ts'
import { salesRetentionSource } from './modules/selling/invoicing/work/sales-retention-source.ts'
import { cancelErasedLink, cancelPaymentLink, endOpenLink } from './modules/selling/payments/cancel-jobs.ts'
import {
  getPaymentRequest,
  getPaymentRequests,
  postPaymentRequest,
  postPaymentRequestCancel,
} from './modules/selling/payments/endpoints.ts'
import { paymentPaid } from './modules/selling/payments/events.ts'
import {
  checkPayment,
  expirePaymentRequest,
  makePaymentLink,
  readRefunds,
} from './modules/selling/payments/jobs.ts'
import { checkOpenLink, makeOpenLink } from './modules/selling/payments/link-jobs.ts'
import { gatewayPostsRetentionSource } from './modules/selling/payments/work/gateway-posts-retention-source.ts'
import { gatewayPostsSource } from './modules/selling/payments/work/gateway-posts-source.ts'
import {
  getOneReview,
  getReviewRequests,
  getReviewSettings,
  getReviews,
  postReviewRequest,
  postReviewRequestLink,
  putReviewSettings,
} from './modules/selling/reviews/endpoints.ts'
import { reviewReceived } from './modules/selling/reviews/events.ts'
import { takeReviewAnswer } from './modules/selling/reviews/jobs.ts'
import { reviewRequestsSource } from './modules/selling/reviews/work/review-requests-source.ts'
import {
  getSocialConversations,
  getSocialMessages,
  patchSocialConversation,
  postSocialSend,
} from './modules/selling/social/chats/endpoints.ts'
import { socialMessageReceived } from './modules/selling/social/chats/events.ts'
import { settleSend } from './modules/selling/social/chats/jobs.ts'
import {
  getSocialComments,
  postSocialHide,
  postSocialReply,
} from './modules/selling/social/comments/endpoints.ts'
import { socialCommentReceived } from './modules/selling/social/comments/events.ts'
import { settleReply } from './modules/selling/social/comments/jobs.ts'
import { postSocialMedia, postSocialMediaUpload } from './modules/selling/social/posts/endpoints/media.ts'
import {
  getOneSocialPost,
  getRecentSocialPosts,
  getSocialInsights,
  getSocialPosts,
  patchSocialPost,
  postSocialPost,
  postSocialPostCancel,
} from './modules/selling/social/posts/endpoints/posts.ts'
import { socialPostPublished } from './modules/selling/social/posts/events.ts'
import { publishPost, sweepPostMedia } from './modules/selling/social/posts/jobs.ts'
import { socialRetentionSource } from './modules/selling/social/work/social-retention-source.ts'
import { socialUpdatesSource } from './modules/selling/social/work/social-updates-source.ts'
import { tokenRefreshSource } from './modules/selling/social/work/token-refresh-source.ts'
import { jobRetentionSource } from './worker/job-retention-source.ts'
import { jobsSource } from './worker/jobs-source.ts'
import { outsideJobsSource } from './worker/outside-jobs-source.ts'

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
  conversationRated,
  flowCompleted,
  callMissed,
  orderCodResponse,
  orderEvent,
  broadcastCompleted,
  leadCreated,
  leadRecaptured,
  formSubmitted,
  leadStageChanged,
  leadAssigned,
  taskCreated,
  taskCompleted,
  socialMessageReceived,
  socialCommentReceived,
  socialPostPublished,
  paymentPaid,
  invoiceIssued,
  invoiceUpdated,
  invoicePaymentRecorded,
  invoicePaid,
  invoicePaymentVoided,
  invoiceCancelled,
  quotationAccepted,
  quotationDeclined,
  bookingCreated,
  bookingRescheduled,
  bookingCancelled,
  bookingCompleted,
  bookingNoShow,
  bookingRestored,
  reviewReceived,
  // Additions come after the events of the specification.
  contactMerged,
]

/** Returns the endpoints as the server provides them; `sealer` seals their secrets. */
export function endpoints(sealer: Sealer): Endpoint[] {
  const webhooks = { catalog: catalogOf(EVENTS), sealer }
  const registration = registrationEndpoints(webhooks)
  const deliveries = deliveryEndpoints(webhooks)
  const events = eventEndpoints(webhooks)
  const sending = sendingEndpoints(sealer)
  const integrations = integrationEndpoints(sealer)
  const automations = automationEndpoints({ kinds: EVENTS, sealer })
  return routes({
    'GET /openapi.json': getOpenapi,
    'POST /send': postSend,
    'POST /media': postMedia,
    'GET /me': getMe,
    'GET /messages': getMessages,
    'GET /messages/:id': getMessageById,
    'GET /messages/:id/media': getMessageMedia,
    'GET /conversations': getConversations,
    'GET /conversations/counts': getConversationCounts,
    'GET /search': getSearch,
    'GET /contacts': getContacts,
    'GET /phone-numbers': getPhoneNumbers,
    'GET /team': getTeam,
    'GET /templates': getTemplates,
    'GET /analytics': getAnalytics,
    'GET /flows': getFlows,
    'GET /quick-replies': getQuickReplies,
    'GET /review-settings': getReviewSettings,
    'PUT /review-settings': putReviewSettings,
    'POST /review-requests': postReviewRequest,
    'POST /review-requests/:id/link': postReviewRequestLink,
    'GET /review-requests': getReviewRequests,
    'GET /reviews': getReviews,
    'GET /reviews/:id': getOneReview,
    'GET /rating-settings': getRatingSettings,
    'PUT /rating-settings': putRatingSettings,
    'GET /ratings': getRatings,
    'POST /contacts': postContact,
    'GET /contacts/:id': getOneContact,
    'PATCH /contacts/:id': patchContact,
    'DELETE /contacts/:id': deleteContact,
    'POST /templates': postTemplate,
    'POST /broadcasts': postBroadcast,
    'GET /broadcasts': getBroadcasts,
    'GET /broadcasts/:id': getOneBroadcast,
    'DELETE /broadcasts/:id': deleteBroadcast,
    'POST /broadcasts/:id/start': postBroadcastStart,
    'POST /broadcasts/:id/pause': postBroadcastPause,
    'POST /broadcasts/:id/resume': postBroadcastResume,
    'GET /conversations/:id': getOneConversation,
    'PATCH /conversations/:id': patchConversation,
    'GET /conversations/:id/notes': getConversationNotes,
    'POST /conversations/:id/notes': postConversationNote,
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
    'GET /social/conversations': getSocialConversations,
    'GET /social/conversations/:id/messages': getSocialMessages,
    'PATCH /social/conversations/:id': patchSocialConversation,
    'POST /social/send': postSocialSend,
    'POST /social/media': postSocialMedia,
    'POST /social/media/upload': postSocialMediaUpload,
    'GET /social/posts': getSocialPosts,
    'POST /social/posts': postSocialPost,
    'GET /social/posts/recent': getRecentSocialPosts,
    'GET /social/posts/:id': getOneSocialPost,
    'PATCH /social/posts/:id': patchSocialPost,
    'POST /social/posts/:id/cancel': postSocialPostCancel,
    'GET /social/comments': getSocialComments,
    'POST /social/comments/:id/reply': postSocialReply,
    'POST /social/comments/:id/hide': postSocialHide,
    'GET /social/insights': getSocialInsights,
    'GET /webhooks': registration.listWebhooks,
    'GET /webhooks/events': events.listWebhookEvents,
    'GET /webhooks/samples/:event': events.listEventSamples,
    'GET /events': events.listEvents,
    'POST /webhooks': registration.createWebhook,
    'PATCH /webhooks/:id': registration.updateWebhook,
    'POST /webhooks/:id/rotate': registration.rotateWebhookSecret,
    'DELETE /webhooks/:id': registration.deleteWebhook,
    'GET /webhooks/:id/deliveries': deliveries.listDeliveries,
    'POST /webhooks/:id/test': deliveries.testWebhook,
    'POST /webhooks/deliveries/:id/redeliver': deliveries.redeliver,
    'GET /webhooks/deliveries/:id/signature': deliveries.checkSignature,
    'POST /webhooks/:id/replay': events.replayEvents,
    'POST /sandbox/events': events.triggerSandboxEvent,
    'GET /templates/:id': getOneTemplate,
    'DELETE /templates/:id': deleteTemplate,
    'POST /templates/lint': postTemplatesLint,
    'POST /templates/sync': postTemplatesSync,
    'GET /broadcasts/:id/recipients': getBroadcastRecipients,
    'POST /broadcasts/preview': postBroadcastPreview,
    'GET /segments': getSegments,
    'POST /segments': postSegment,
    'GET /segments/:id': getOneSegment,
    'PATCH /segments/:id': patchSegment,
    'DELETE /segments/:id': deleteSegment,
    'POST /flows/:id/send': postFlowSend,
    'POST /quick-replies': postQuickReply,
    'PATCH /quick-replies/:id': patchQuickReply,
    'DELETE /quick-replies/:id': deleteQuickReply,
    'POST /conversations': postConversation,
    'POST /conversations/:id/read': postConversationRead,
    'POST /conversations/:id/unread': postConversationUnread,
    'POST /contacts/bulk': postContactsBulk,
    'POST /contacts/bulk-tags': postContactsBulkTags,
    'POST /contacts/:id/block': postContactBlock,
    'POST /contacts/:id/unblock': postContactUnblock,
    'POST /contacts/:id/merge': postContactMerge,
    'GET /tags': getTags,
    'POST /tags': postTag,
    'PATCH /tags/:id': patchTag,
    'DELETE /tags/:id': deleteTag,
    'GET /contact-fields': getContactFields,
    'POST /contact-fields': postContactField,
    'PATCH /contact-fields/:id': patchContactField,
    'DELETE /contact-fields/:id': deleteContactField,
    'POST /payment-requests': postPaymentRequest,
    'GET /payment-requests': getPaymentRequests,
    'GET /payment-requests/:id': getPaymentRequest,
    'POST /payment-requests/:id/cancel': postPaymentRequestCancel,
    'GET /invoices': getInvoices,
    'GET /invoices/:id': getInvoice,
    'GET /billing': getBilling,
    'GET /wallet': getWallet,
    'GET /costs': getCosts,
    'GET /integrations': integrations.getIntegrations,
    'GET /integrations/:name': integrations.getIntegration,
    'PUT /integrations/:name': integrations.putIntegration,
    'DELETE /integrations/:name': deleteIntegration,
    'GET /integrations/:name/deliveries': getDeliveries,
    'GET /orders': getOrders,
    'GET /automations': automations.getAutomations,
    'POST /automations': automations.postAutomation,
    'POST /automations/test': automations.postAutomationTest,
    'GET /automations/:id': automations.getOneAutomation,
    'PATCH /automations/:id': automations.patchAutomation,
    'DELETE /automations/:id': automations.deleteOneAutomation,
    'GET /automations/:id/runs': automations.getAutomationRuns,
    'GET /business-hours': getBusinessHours,
    'PUT /business-hours': putBusinessHours,
    'GET /auto-replies': getAutoReplies,
    'POST /auto-replies': postAutoReply,
    'GET /auto-replies/:id': getOneAutoReply,
    'PATCH /auto-replies/:id': patchAutoReply,
    'DELETE /auto-replies/:id': deleteAutoReply,
    'GET /bots': getBots,
    'POST /bots': postBot,
    'GET /bots/:id': getOneBot,
    'PATCH /bots/:id': patchBot,
    'DELETE /bots/:id': deleteBot,
    'POST /bots/:id/test': postBotTest,
    'GET /sales-settings': getSalesSettings,
    'PUT /sales-settings': putSalesSettings,
    'GET /sales-invoices': getSalesInvoices,
    'POST /sales-invoices': postSalesInvoice,
    'POST /sales-invoices/preview': postSalesInvoicePreview,
    'GET /sales-invoices/:id': getSalesInvoice,
    'PATCH /sales-invoices/:id': patchSalesInvoice,
    'DELETE /sales-invoices/:id': deleteSalesInvoice,
    'POST /sales-invoices/:id/issue': postSalesInvoiceIssue,
    'POST /sales-invoices/:id/revise': postSalesInvoiceRevise,
    'POST /sales-invoices/:id/payments': postSalesInvoicePayment,
    'GET /sales-invoices/:id/payments/:paymentId': getReceipt,
    'POST /sales-invoices/:id/payments/:paymentId/void': postSalesPaymentVoid,
    'POST /sales-invoices/:id/cancel': postSalesInvoiceCancel,
    'POST /sales-invoices/:id/convert': postSalesInvoiceConvert,
    'GET /sales-invoices/:id/credit-notes': getCreditNotes,
    'POST /sales-invoices/:id/credit-notes': postCreditNote,
    'GET /sales-invoices/:id/credit-notes/:noteId': getCreditNote,
    'POST /sales-invoices/:id/link': postSalesInvoiceLink,
    'POST /sales-invoices/:id/send': sending.postSalesInvoiceSend,
    'GET /quotations': getQuotations,
    'POST /quotations': postQuotation,
    'GET /quotations/:id': getQuotation,
    'PATCH /quotations/:id': patchQuotation,
    'DELETE /quotations/:id': deleteQuotation,
    'POST /quotations/:id/issue': postQuotationIssue,
    'POST /quotations/:id/accept': postQuotationAccept,
    'POST /quotations/:id/decline': postQuotationDecline,
    'POST /quotations/:id/revise': postQuotationRevise,
    'POST /quotations/:id/cancel': postQuotationCancel,
    'POST /quotations/:id/convert': postQuotationConvert,
    'POST /quotations/:id/link': postQuotationLink,
    'POST /quotations/:id/send': sending.postQuotationSend,
    'GET /booking-services': getBookingServices,
    'POST /booking-services': postBookingService,
    'PATCH /booking-services/:id': patchBookingService,
    'DELETE /booking-services/:id': deleteBookingService,
    'GET /booking-staff': getBookingStaff,
    'POST /booking-staff': postBookingStaff,
    'PATCH /booking-staff/:id': patchBookingStaff,
    'DELETE /booking-staff/:id': deleteBookingStaff,
    'GET /booking-settings': getBookingSettings,
    'PUT /booking-settings': putBookingSettings,
    'POST /booking-settings/link': postBookingSettingsLink,
    'GET /bookings/slots': getBookingSlots,
    'GET /bookings': getBookings,
    'POST /bookings': postBooking,
    'GET /bookings/:id': getOneBooking,
    'PATCH /bookings/:id': patchBooking,
    'POST /bookings/:id/link': postBookingLink,
    'POST /bookings/:id/invoice': postBookingInvoice,
    'POST /sandbox/inbound': postSandboxInbound,
    'POST /sandbox/simulate': postSandboxSimulate,
    'GET /activity': getActivity,
    'GET /sandbox/clock': getSandboxClock,
    'POST /sandbox/clock': postSandboxClock,
  })
}

/** The parts of a process that serves the dashboard: its addresses, and the build of its pages; null for none. */
export type DashboardParts = {
  sealer: Sealer
  siteUrl: string
  /** True if this process sends mail. */
  mails: boolean
  /** Returns the callback URL for the operator's reports about a workspace's numbers. */
  callbackUrl(workspaceId: string): string
  build(): string | null
}

/** Returns the additional endpoints of the dashboard, at `/api/dashboard`. */
export function dashboardEndpoints({
  sealer,
  siteUrl,
  mails,
  callbackUrl,
  build,
}: DashboardParts): Endpoint[] {
  const workspace = workspaceEndpoints(siteUrl)
  const members = memberEndpoints({ siteUrl, mails, sealer })
  const numbers = numberEndpoints(sealer, callbackUrl)
  return routes({
    'GET /session': sessionEndpoint(build),
    'DELETE /session': deleteSession,
    'GET /sessions': getSessions,
    'DELETE /sessions/:id': deleteOneSession,
    'POST /session/confirm': postSessionConfirm,
    'GET /sign-in/options': getSignInOptions,
    'POST /sign-in': postSignIn,
    'POST /sign-in/totp': postSignInTotp,
    'POST /sign-in/passkey/options': postSignInPasskeyOptions,
    'POST /sign-in/passkey': postSignInPasskey,
    'POST /sign-in/reset': postSignInReset,
    'POST /sign-in/token': postSignInToken,
    'POST /sign-in/redeem': postSignInRedeem,
    'PATCH /account': patchAccount,
    'POST /account/totp': postAccountTotp,
    'DELETE /account/totp': deleteAccountTotp,
    'POST /account/recovery-codes': postAccountRecoveryCodes,
    'POST /account/passkeys': postAccountPasskey,
    'DELETE /account/passkeys/:id': deleteAccountPasskey,
    'GET /preferences': getPreferences,
    'PATCH /preferences': patchPreferences,
    'GET /workspace': workspace.getWorkspace,
    'PATCH /workspace': workspace.patchWorkspace,
    'GET /usage': getUsage,
    'POST /workspace/capture-token': workspace.postCaptureToken,
    'POST /workspaces': postWorkspace,
    'GET /members': getMembers,
    'POST /members': members.postMember,
    'PATCH /members/:id': members.patchMember,
    'DELETE /members/:id': deleteMember,
    'GET /keys': getKeys,
    'POST /keys': postKey,
    'DELETE /keys/:id': deleteKey,
    'POST /numbers': numbers.postNumber,
    'PATCH /numbers/:id': numbers.patchNumber,
    'DELETE /numbers/:id': numbers.deleteNumber,
    'POST /numbers/:id/check': postNumberCheck,
    'GET /security': getSecurity,
    'PATCH /security': patchSecurity,
    'GET /sign-ins': getSignIns,
    'GET /drafts': getDrafts,
    'GET /drafts/:id': getDraft,
    'PUT /drafts/:id': putDraft,
    'GET /imports': getImports,
    'POST /imports': postImport,
    'GET /imports/:id': getOneImport,
    'PATCH /imports/:id': patchImport,
    'DELETE /imports/:id': deleteOneImport,
    'POST /imports/:id/preview': postImportPreview,
    'GET /imports/:id/refused': getRefusedRows,
    'POST /presence': postPresence,
    'GET /analytics/failures': getFailureCauses,
    'GET /analytics/answers': getAnswerTimes,
    'GET /notifications': getNotifications,
    'POST /notifications/read': postNotificationsRead,
  })
}

const readOnly = (): never => {
  throw new Error('this list of endpoints is for reading; it is not served')
}

/** For the lists that only documents and tests read. */
const READ_ONLY: Sealer = { seal: readOnly, open: readOnly, with: readOnly, secretFor: readOnly }
export const ENDPOINTS: Endpoint[] = endpoints(READ_ONLY)
export const DASHBOARD_ENDPOINTS: Endpoint[] = dashboardEndpoints({
  sealer: READ_ONLY,
  siteUrl: '',
  mails: false,
  callbackUrl: readOnly,
  build: readOnly,
})

export const JOB_KINDS: JobKind[] = [
  carryMerged,
  notifyOfSubmission,
  retagContacts,
  mergeTwoContacts,
  mergeSpelled,
  fetchMedia,
  eraseFile,
  sweepUpload,
  settleTemplate,
  settleSend,
  settleReply,
  publishPost,
  sweepPostMedia,
  makePaymentLink,
  cancelPaymentLink,
  cancelErasedLink,
  checkPayment,
  readRefunds,
  expirePaymentRequest,
  makeOpenLink,
  checkOpenLink,
  endOpenLink,
  followAdvance,
  endHold,
  releaseErased,
  remindOfBooking,
  notifyOwner,
  importFileRows,
  notifyAdmins,
  notifyOfBrokenNumber,
  followDocumentLink,
  takeReviewAnswer,
  registerShopWebhooks,
  markOrderInShop,
  askAssistant,
  callWebhook,
]

/**
 * Background work by name. When a sandbox's clock moves, work that is due at the same moment runs in this order: outgoing
 * messages before incoming reports, and the webhooks of both last.
 */
export const WORK_SOURCES = {
  handover: handoverSource,
  'number-checks': numberChecksSource,
  updates: updatesSource,
  'social-updates': socialUpdatesSource,
  'gateway-posts': gatewayPostsSource,
  'shop-deliveries': shopDeliveriesSource,
  broadcasts: fanOutSource,
  ratings: ratingsSource,
  'review-requests': reviewRequestsSource,
  'cod-questions': codQuestionsSource,
  'bot-sessions': botSessionsSource,
  'automation-times': automationTimesSource,
  automations: automationsSource,
  windows: windowsSource,
  deliveries: deliveriesSource,
  'deleted-webhooks': deletedWebhooksSource,
  jobs: jobsSource,
  'outside-jobs': outsideJobsSource,
  'log-days': logDaysSource,
  'intake-retention': intakeRetentionSource,
  'message-retention': messageRetentionSource,
  'message-words': wordsSource,
  'social-tokens': tokenRefreshSource,
  'social-retention': socialRetentionSource,
  counts: countsSource,
  tallies: talliesSource,
  'crm-counts': crmCountsSource,
  'due-tasks': dueTasksSource,
  'notification-retention': notificationRetentionSource,
  'submission-retention': submissionRetentionSource,
  'activity-retention': activityRetentionSource,
  'account-mails': accountMailsSource,
  'access-retention': accessRetentionSource,
  'imports-retention': importsRetentionSource,
  'gateway-posts-retention': gatewayPostsRetentionSource,
  'shop-deliveries-retention': shopDeliveriesRetentionSource,
  'sales-retention': salesRetentionSource,
  priced: pricedSource,
  'wallet-charges': walletChargesSource,
  trials: trialsSource,
  'bookings-retention': bookingsRetentionSource,
  'automation-retention': automationRetentionSource,
  'job-retention': jobRetentionSource,
  answers: answersSource,
  'lost-clocks': lostClocksSource,
}
