// Generated from the migrations by `parley reference`; do not edit.
import type { ColumnType, Generated } from 'kysely'

/** A json or jsonb column: read as a value, written as JSON text. */
export type JsonColumn = ColumnType<unknown, string, string>
/** The same with a default. `Generated` would not read it as a value. */
export type DefaultedJsonColumn = ColumnType<unknown, string | undefined, string>

export type Tables = {
  accountIdentities: {
    issuer: string
    subject: string
    accountId: string
    createdAt: Date
  }
  accountMails: {
    id: string
    sealed: Buffer
    attempts: Generated<number>
    runAt: Date
    expiresAt: Date
    createdAt: Date
  }
  accounts: {
    id: string
    email: string | null
    name: string
    passwordHash: string | null
    totpSealed: Buffer | null
    totpPendingSealed: Buffer | null
    totpStep: Generated<number>
    recoveryHashes: Generated<Buffer[]>
    createdAt: Date
    emailProven: Generated<boolean>
    language: string | null
  }
  activityDays: {
    day: string
    phoneNumberId: string
    type: string
    received: Generated<number>
    sent: Generated<number>
    delivered: Generated<number>
    read: Generated<number>
    failed: Generated<number>
    skipped: Generated<number>
    opened: Generated<number>
    workspaceId: string
  }
  activityDeltas: {
    id: string
    day: string
    phoneNumberId: string
    type: string
    received: number
    sent: number
    delivered: number
    read: number
    failed: number
    skipped: number
    opened: number
    workspaceId: string
  }
  activityLog: {
    id: string
    kind: string
    actorKind: string
    actorId: string | null
    actorName: string | null
    data: JsonColumn
    createdAt: Date
    workspaceId: string
  }
  apiKeys: {
    id: string
    memberId: string | null
    label: string
    prefix: string
    hash: Buffer
    role: string
    scopes: string[] | null
    allowIps: string[] | null
    expiresAt: Date | null
    revokedAt: Date | null
    createdAt: Date
    workspaceId: string
  }
  appConnections: {
    id: string
    memberId: string
    clientId: string
    clientName: string
    redirectUri: string
    role: string
    scopes: string[] | null
    codeHash: Buffer
    codeChallenge: string
    keyId: string | null
    refreshHash: Buffer | null
    previousHash: Buffer | null
    refreshedAt: Date | null
    expiresAt: Date
    createdAt: Date
    workspaceId: string
  }
  assistantDays: {
    day: string
    answers: number
    workspaceId: string
  }
  autoReplies: {
    id: string
    kind: string
    enabled: boolean
    position: number
    phoneNumberIds: string[] | null
    reply: JsonColumn
    keywords: string[]
    match: string
    daysSilent: number | null
    cooldownMinutes: number
    schedule: string
    createdAt: Date
    updatedAt: Date
    workspaceId: string
    patterns: string[] | null
    validFrom: Date | null
    validUntil: Date | null
  }
  autoReplyUses: {
    conversationId: string
    autoReplyId: string
    sentAt: Date
    workspaceId: string
  }
  automaticMessages: {
    conversationId: string
    sentAt: Date[]
    workspaceId: string
  }
  automationRuns: {
    id: string
    automationId: string
    occasion: string
    eventId: string | null
    contactId: string | null
    leadId: string | null
    conversationId: string | null
    lane: string
    causes: string[]
    status: string
    reason: string | null
    actions: JsonColumn | null
    steps: DefaultedJsonColumn
    runAt: Date | null
    runOffsetMs: number | null
    faults: Generated<number>
    actedAt: Date | null
    createdAt: Date
    finishedAt: Date | null
    workspaceId: string
  }
  automationStarts: {
    id: string
    contactId: string | null
    automationIds: string[]
    causes: string[]
    runAt: Date
    createdAt: Date
    workspaceId: string
  }
  automationStates: {
    automationId: string
    done: Generated<number>
    skipped: Generated<number>
    failed: Generated<number>
    lastRunAt: Date | null
    limitedSince: Date | null
    limitedAt: Date | null
    runAt: Date | null
    runOffsetMs: number | null
    lookedAt: Date | null
    workspaceId: string
  }
  automations: {
    id: string
    name: string
    enabled: boolean
    trigger: JsonColumn
    conditions: JsonColumn
    actions: JsonColumn
    event: string | null
    includeImports: boolean
    scheduled: boolean
    idleSide: string | null
    idleMinutes: number | null
    names: JsonColumn
    secretSealed: Buffer | null
    disabledReason: string | null
    createdAt: Date
    updatedAt: Date
    workspaceId: string
  }
  awayMembers: {
    memberId: string
    since: Date
    workspaceId: string
  }
  bookingReminders: {
    bookingId: string
    startAt: Date
    minutesBefore: number
    sentAt: Date
    workspaceId: string
  }
  bookingServices: {
    id: string
    name: string
    description: string | null
    durationMinutes: number
    bufferBeforeMinutes: number
    bufferAfterMinutes: number
    stepMinutes: number
    capacity: number
    priceMinor: number
    taxRate: number | null
    hsn: string | null
    advance: JsonColumn | null
    refundPolicy: string
    minNoticeMinutes: number
    maxDaysAhead: number
    cancelNoticeMinutes: number
    locationKind: string
    location: string | null
    staffIds: string[]
    questions: JsonColumn
    active: boolean
    createdAt: Date
    updatedAt: Date
    deletedAt: Date | null
    workspaceId: string
  }
  bookingSessions: {
    id: string
    serviceId: string
    staffId: string
    startsAt: Date
    busyFrom: Date
    busyTo: Date
    capacity: number
    seats: number
    releasedAt: Date | null
    createdAt: Date
    workspaceId: string
  }
  bookingSettings: {
    workspaceId: string
    settings: JsonColumn
    pageToken: string | null
    updatedAt: Date
    pageColor: string | null
  }
  bookingStaff: {
    id: string
    name: string
    kind: string
    hiddenFor: string | null
    memberId: string | null
    timeZone: string
    weekly: JsonColumn
    overrides: JsonColumn
    timeOff: JsonColumn
    active: boolean
    createdAt: Date
    updatedAt: Date
    deletedAt: Date | null
    workspaceId: string
  }
  bookings: {
    id: string
    serviceId: string
    staffId: string
    sessionId: string | null
    contactId: string | null
    status: string
    startAt: Date
    endAt: Date
    timeZone: string
    durationMinutes: number
    partySize: number
    locationKind: string
    location: string | null
    priceMinor: number
    currency: string
    refundPolicy: string
    advanceMinor: number | null
    advanceStatus: string | null
    advancePaidAt: Date | null
    advanceInvoiceId: string | null
    invoiceId: string | null
    paymentLinkId: string | null
    paymentUrl: string | null
    holdExpiresAt: Date | null
    customer: JsonColumn
    source: string
    notes: string | null
    answers: JsonColumn
    cancelReason: string | null
    token: string
    notify: boolean
    changes: Generated<number>
    createdAt: Date
    updatedAt: Date
    confirmedAt: Date | null
    workspaceId: string
  }
  botRequests: {
    id: string
    botId: string
    version: number
    node: string
    conversationId: string
    method: string
    origin: string
    attempts: number
    status: number | null
    durationMs: number
    error: string | null
    createdAt: Date
    workspaceId: string
  }
  botSessions: {
    conversationId: string
    id: string
    botId: string
    version: number
    node: string
    answers: JsonColumn
    misses: number
    step: number
    leftNode: string | null
    leftAt: Date | null
    aiAnswers: number
    startedAt: Date
    runAt: Date
    runOffsetMs: number | null
    workspaceId: string
    pending: DefaultedJsonColumn
  }
  botVersions: {
    botId: string
    version: number
    definition: JsonColumn
    createdAt: Date
    workspaceId: string
    headersSealed: Buffer | null
  }
  botVisits: {
    id: string
    botId: string
    conversationId: string
    nodes: string[]
    node: string | null
    state: string
    startedAt: Date
    updatedAt: Date
    workspaceId: string
    version: number | null
  }
  bots: {
    id: string
    name: string
    enabled: boolean
    version: number
    entry: JsonColumn
    createdAt: Date
    updatedAt: Date
    workspaceId: string
  }
  broadcastCounts: {
    broadcastId: string
    sent: number
    delivered: number
    read: number
    failed: number
    skipped: number
    workspaceId: string
  }
  broadcastDeltas: {
    id: string
    broadcastId: string
    sent: number
    delivered: number
    read: number
    failed: number
    skipped: number
    workspaceId: string
  }
  broadcastRecipients: {
    broadcastId: string
    contactId: string
    state: string
    reason: string | null
    messageId: string | null
    newAt: Date | null
    workspaceId: string
    lastStatus: string | null
    errorCode: number | null
    variant: number | null
  }
  broadcastStretches: {
    broadcastId: string
    untilId: string
    afterId: string
    workspaceId: string
  }
  broadcastVariants: {
    broadcastId: string
    number: number
    templateId: string
    templateName: string
    share: number
    variables: JsonColumn | null
    content: JsonColumn
    templateText: string | null
    personal: JsonColumn | null
    workspaceId: string
  }
  broadcasts: {
    id: string
    name: string
    status: string
    pausedReason: string | null
    templateId: string
    templateName: string
    category: string
    phoneNumberId: string
    segment: JsonColumn
    variables: JsonColumn | null
    knownOnly: boolean
    confirmed: boolean
    followUpOf: string | null
    content: JsonColumn
    templateText: string | null
    matched: number
    willSend: number
    suppressed: number
    newRecipients: number
    walkedTo: string | null
    walked: Generated<boolean>
    recipients: Generated<number>
    queued: Generated<number>
    skipped: Generated<number>
    waiting: Generated<number>
    sending: Generated<boolean>
    runAt: Date | null
    runOffsetMs: number | null
    scheduledAt: Date | null
    startedAt: Date | null
    completedAt: Date | null
    cancelledAt: Date | null
    createdAt: Date
    updatedAt: Date
    workspaceId: string
    createdBy: string | null
    personal: JsonColumn | null
    samplePercent: number | null
    decideBy: string | null
    waitMinutes: number | null
    testPhase: string | null
    decidesAt: Date | null
    decidedAt: Date | null
    winner: number | null
  }
  businessHours: {
    workspaceId: string
    timeZone: string
    weekly: JsonColumn
    overrides: JsonColumn
    updatedAt: Date
  }
  calls: {
    callId: string
    contactId: string
    conversationId: string
    phoneNumberId: string
    startedAt: Date | null
    endedAt: Date | null
    answered: boolean | null
    missedAt: Date | null
    createdAt: Date
    workspaceId: string
  }
  captureMappings: {
    workspaceId: string
    shape: Buffer
    form: string | null
    fields: JsonColumn
    updatedAt: Date
  }
  captureSubmissions: {
    workspaceId: string
    digest: Buffer
    id: string
    state: string
    reason: string | null
    message: string | null
    body: Buffer
    contentType: string | null
    headers: JsonColumn
    content: JsonColumn | null
    shape: Buffer | null
    form: string | null
    sender: Buffer
    times: Generated<number>
    receivedAt: Date
    lastReceivedAt: Date
    contactId: string | null
    leadId: string | null
    phones: string[] | null
  }
  closedTemplateNames: {
    accountId: string
    name: string
    language: string
    until: Date
    workspaceId: string
  }
  codQuestions: {
    orderId: string
    contactId: string
    status: string
    runAt: Date | null
    runOffsetMs: number | null
    messageId: string | null
    askedAt: Date | null
    remindedAt: Date | null
    expiresAt: Date | null
    answeredAt: Date | null
    failure: string | null
    createdAt: Date
    workspaceId: string
  }
  contactAliases: {
    key: string
    contactId: string
    createdAt: Date
    isSpelling: Generated<boolean>
    workspaceId: string
  }
  contactBlocks: {
    contactId: string
    phoneNumberId: string
    createdAt: Date
    workspaceId: string
    blockedAs: string[] | null
  }
  contactFields: {
    id: string
    key: string
    label: string
    type: string
    options: string[] | null
    createdAt: Date
    updatedAt: Date
    workspaceId: string
  }
  contactTagChanges: {
    id: string
    contactId: string
    tag: string
    added: boolean
    sourceKind: string | null
    sourceId: string | null
    sourceName: string | null
    createdAt: Date
    workspaceId: string
  }
  contacts: {
    id: string
    channel: Generated<string>
    phone: string
    userId: string | null
    username: string | null
    displayName: string | null
    profileName: string | null
    tags: Generated<string[]>
    attributes: DefaultedJsonColumn
    optInStatus: Generated<string>
    optInSource: string | null
    refusedByCustomer: Generated<boolean>
    blocked: Generated<boolean>
    lastSeenAt: Date | null
    createdAt: Date
    updatedAt: Date
    workspaceId: string
    consentAt: Date | null
    language: string | null
    addressBookName: string | null
    addressBookAt: Date | null
  }
  conversationActivity: {
    conversationId: string
    activityId: string
    lastMessageAt: Date | null
    waitingSince: Date | null
    waitingId: string | null
    workspaceId: string
    personAnsweredAt: Date | null
    channel: Generated<string>
  }
  conversationChanges: {
    id: string
    conversationId: string
    action: string
    value: string | null
    valueName: string | null
    sourceKind: string | null
    sourceId: string | null
    sourceName: string | null
    createdAt: Date
    workspaceId: string
  }
  conversationNotes: {
    id: string
    conversationId: string
    authorName: string
    body: string
    createdAt: Date
    workspaceId: string
  }
  conversationRatings: {
    conversationId: string
    status: string
    runAt: Date | null
    runOffsetMs: number | null
    messageId: string | null
    askedAt: Date | null
    score: number | null
    ratedAt: Date | null
    createdAt: Date
    workspaceId: string
  }
  conversations: {
    id: string
    contactId: string
    phoneNumberId: string
    state: Generated<string>
    priority: Generated<string>
    isArchived: Generated<boolean>
    assignedAgentId: string | null
    windowExpiresAt: Date | null
    windowOpen: Generated<boolean>
    windowRunAt: Date | null
    runOffsetMs: number | null
    freeEntryExpiresAt: Date | null
    lastInboundAt: Date | null
    createdAt: Date
    updatedAt: Date
    workspaceId: string
    referredAt: Date | null
    unreadCount: Generated<number>
    isUnread: Generated<boolean>
    lastReadAt: Date | null
    readMessageId: string | null
    snoozedAt: Date | null
    snoozedUntil: Date | null
    snoozedUntilReply: Generated<boolean>
    snoozeEndedAt: Date | null
    channel: Generated<string>
    teamId: string | null
  }
  creditNotes: {
    id: string
    documentId: string
    number: string
    financialYear: string
    issueDate: string
    amountMinor: number
    taxableMinor: number
    cgstMinor: number
    sgstMinor: number
    igstMinor: number
    cessMinor: number
    reason: string
    createdAt: Date
    workspaceId: string
  }
  deletedWebhookEndpoints: {
    id: string
    keyId: string | null
    removedAt: Date
    pendingUntil: Date | null
    workspaceId: string
  }
  deliveries: {
    id: string
    endpointId: string
    eventId: string
    event: string
    attempt: Generated<number>
    status: Generated<string>
    manual: Generated<boolean>
    replayed: Generated<boolean>
    createdAt: Date
    attemptedAt: Date | null
    dueAt: Date
    runAt: Date | null
    runOffsetMs: number | null
    leasedUntil: Date | null
    nextAt: Date | null
    httpStatus: number | null
    latencyMs: number | null
    error: string | null
    request: JsonColumn | null
    response: JsonColumn | null
    retracted: Generated<boolean>
    workspaceId: string
  }
  documentPayments: {
    id: string
    documentId: string
    receiptNumber: string
    amountMinor: number
    tdsMinor: number
    currency: string
    paidOn: string
    method: string
    reference: string | null
    source: string
    financialYear: string
    createdAt: Date
    gatewayPaymentId: string | null
    voidedAt: Date | null
    voidReason: string | null
    workspaceId: string
  }
  drafts: {
    conversationId: string
    memberId: string
    text: string
    mode: string
    files: JsonColumn
    updatedAt: Date
    workspaceId: string
  }
  earlyRefunds: {
    paymentId: string
    reportedAt: Date
    workspaceId: string
  }
  erasedIds: {
    hash: Buffer
    isPerson: boolean
    erasedAt: Date
    erasureId: string
    workspaceId: string
  }
  erasures: {
    erasedWorkspaceId: string
    requestedBy: string
    startedAt: Date
    records: DefaultedJsonColumn
    files: Generated<number>
    finishedAt: Date | null
  }
  events: {
    id: string
    name: string
    data: JsonColumn
    createdAt: Date
    contactId: string | null
    workspaceId: string
    writtenIn: Generated<string>
  }
  flowAnswers: {
    id: string
    flowId: string
    fields: JsonColumn
    createdAt: Date
    workspaceId: string
    formMessageId: string | null
    formSentAt: Date | null
  }
  flowClaims: {
    accountId: string
    name: string
    claimedUntil: Date
    workspaceId: string
  }
  flowSyncs: {
    accountId: string
    triedAt: Date
    syncedAt: Date | null
    workspaceId: string
  }
  flows: {
    id: string
    accountId: string
    operatorId: string
    name: string
    status: string
    categories: string[]
    createdAt: Date
    updatedAt: Date
    workspaceId: string
    screens: JsonColumn | null
    faults: JsonColumn | null
    changingUntil: Date | null
  }
  gatewayPosts: {
    id: string
    eventId: string
    raw: Buffer | null
    runAt: Date
    runOffsetMs: number | null
    attempts: Generated<number>
    failedAt: Date | null
    lastError: string | null
    receivedAt: Date
    workspaceId: string
  }
  historyImportLeftOut: {
    importId: string
    number: number
    kind: string
    place: string
    cause: string
    workspaceId: string
  }
  historyImports: {
    id: string
    source: string
    state: string
    run: Generated<number>
    phoneNumberId: string
    title: string | null
    settings: JsonColumn | null
    secretSealed: Buffer | null
    hasFile: Generated<boolean>
    position: JsonColumn | null
    total: number | null
    read: Generated<number>
    stored: Generated<number>
    known: Generated<number>
    contacts: Generated<number>
    leftOut: Generated<number>
    causes: DefaultedJsonColumn
    error: string | null
    createdAt: Date
    updatedAt: Date
    workspaceId: string
    phone: string | null
  }
  idempotencyKeys: {
    workspaceId: string
    keyDigest: string
    fingerprint: Buffer
    status: number | null
    answer: Buffer | null
    attempt: string | null
    startedAt: Date
    expiresAt: Date
  }
  importFiles: {
    id: string
    filename: string
    columns: JsonColumn
    state: string
    run: Generated<number>
    kind: string | null
    mapping: JsonColumn | null
    constants: JsonColumn | null
    error: string | null
    rows: Generated<number>
    done: Generated<number>
    created: Generated<number>
    updated: Generated<number>
    refused: Generated<number>
    people: Generated<number>
    createdAt: Date
    updatedAt: Date
    workspaceId: string
    encoding: string | null
    heading: Generated<number>
    headingLine: number | null
    evidence: JsonColumn | null
    choices: JsonColumn | null
  }
  importRows: {
    importId: string
    number: number
    line: number
    cells: JsonColumn
    phones: JsonColumn
    fault: string | null
    outcome: string | null
    phone: string | null
    reason: string | null
    workspaceId: string
  }
  imports: {
    digest: Buffer
    passed: number
    created: number
    known: number
    refused: number
    updatedAt: Date
    workspaceId: string
  }
  integrations: {
    name: string
    settings: JsonColumn
    secretsSealed: Buffer | null
    intakeToken: string | null
    shopId: string | null
    lastEventAt: Date | null
    lastError: string | null
    connectedAt: Date
    updatedAt: Date
    workspaceId: string
  }
  invitations: {
    memberId: string
    hash: Buffer
    expiresAt: Date
    createdAt: Date
    workspaceId: string
  }
  jobs: {
    id: string
    name: string
    payload: JsonColumn
    runAt: Date
    runOffsetMs: number | null
    attempts: Generated<number>
    leasedUntil: Date | null
    failedAt: Date | null
    lastError: string | null
    createdAt: Date
    workspaceId: string
    outside: Generated<boolean>
  }
  keptCallbacks: {
    id: string
    method: string
    path: string
    headers: JsonColumn
    body: Buffer
    sender: string
    runAt: Date
    attempts: Generated<number>
    lastError: string | null
    failedAt: Date | null
    receivedAt: Date
    workspaceId: string
  }
  leadAssignment: {
    workspaceId: string
    mode: string
    memberIds: Generated<string[]>
    turns: Generated<number>
  }
  leadChanges: {
    id: Generated<string>
    amount: number
    stageId: string
    ownerId: string | null
    rating: number
    lostReasonId: string | null
    source: string | null
    tags: string[]
    phonePrefix: string
    createdAt: Date
    nextFollowUpAt: Date | null
    workspaceId: string
  }
  leadCounts: {
    topic: string
    value: string
    amount: number
    workspaceId: string
  }
  leadSubmissions: {
    workspaceId: string
    phone: string
    digest: Buffer
    submittedAt: Date
  }
  leadTimeline: {
    id: string
    leadId: string
    kind: string
    actor: JsonColumn
    via: string
    data: JsonColumn
    createdAt: Date
    workspaceId: string
  }
  leads: {
    id: string
    contactId: string
    phone: string
    name: string | null
    email: string | null
    stageId: string
    lostReasonId: string | null
    rating: Generated<number>
    source: string | null
    ownerId: string | null
    dealValue: Generated<number>
    paidTotal: Generated<number>
    tags: Generated<string[]>
    attributes: DefaultedJsonColumn
    nextFollowUpAt: Date | null
    manualFollowUpAt: Date | null
    captureCount: Generated<number>
    lastCapturedAt: Date
    stageChangedAt: Date
    createdAt: Date
    updatedAt: Date
    workspaceId: string
  }
  lostReasons: {
    id: string
    label: string
    position: number
    createdAt: Date
    removedAt: Date | null
    workspaceId: string
  }
  macros: {
    id: string
    name: string
    nameKey: string
    actions: JsonColumn
    createdAt: Date
    updatedAt: Date
    workspaceId: string
  }
  marketingMarks: {
    contactId: string
    times: Date[]
    workspaceId: string
  }
  media: {
    id: string
    phoneNumberId: string
    origin: string
    messageId: string | null
    kind: string
    operatorId: string | null
    mimeType: string
    filename: string | null
    sizeBytes: number | null
    sha256: string | null
    state: string
    failure: string | null
    expiresAt: Date
    createdAt: Date
    workspaceId: string
  }
  memberPreferences: {
    memberId: string
    preferences: JsonColumn
    updatedAt: Date
    workspaceId: string
  }
  members: {
    id: string
    email: string
    name: string
    role: string
    owner: Generated<boolean>
    leftAt: Date | null
    createdAt: Date
    workspaceId: string
    accountId: string | null
    userName: string | null
    externalId: string | null
    givenName: string | null
    familyName: string | null
    suspendedAt: Date | null
  }
  mergedContacts: {
    id: string
    keptId: string
    phone: string
    mergedAt: Date
    workspaceId: string
  }
  mergedConversations: {
    id: string
    keptId: string
    mergedWith: string
    mergedAt: Date
    workspaceId: string
  }
  mergedLeads: {
    id: string
    keptId: string
    mergedWith: string
    mergedAt: Date
    workspaceId: string
  }
  messageChanges: {
    chanmid: string
    original: string
    people: string[]
    content: JsonColumn | null
    at: Date
    createdAt: Date
    workspaceId: string
  }
  messageWordWalks: {
    workspaceId: string
    readTo: string
    checkedTo: string
    walkedAt: Date
  }
  messageWords: {
    id: string
    words: string
    workspaceId: string
  }
  messages: {
    id: string
    conversationId: string
    contactId: string
    phoneNumberId: string
    direction: string
    type: string
    content: JsonColumn
    templateText: string | null
    status: string
    chanmid: string | null
    replyTo: string | null
    sentBy: string | null
    error: JsonColumn | null
    createdAt: Date
    sentAt: Date | null
    deliveredAt: Date | null
    readAt: Date | null
    failedAt: Date | null
    runAt: Date | null
    runOffsetMs: number | null
    leasedUntil: Date | null
    handovers: Generated<number>
    workspaceId: string
    context: JsonColumn | null
    originalContent: JsonColumn | null
    editedAt: Date | null
    deletedAt: Date | null
    pricing: JsonColumn | null
    broadcastId: string | null
    skipReason: string | null
    origin: JsonColumn | null
    sentTo: string | null
    sourceKind: string | null
    sourceId: string | null
    sourceName: string | null
    trace: string | null
    importedFrom: string | null
  }
  newRecipientDays: {
    phoneNumberId: string
    day: string
    used: number
    workspaceId: string
  }
  notifications: {
    id: string
    memberId: string
    kind: string
    actorName: string | null
    title: string
    body: string | null
    subjectId: string
    parentId: string | null
    contactId: string | null
    createdAt: Date
    readAt: Date | null
    workspaceId: string
  }
  numberLanes: {
    phoneNumberId: string
    holder: string | null
    leasedUntil: Date | null
    pausedUntil: Date | null
    pauseReason: string | null
    strikes: Generated<number>
    checkDueAt: Date
    workspaceId: string
    troubleUntil: Date | null
  }
  numberSeries: {
    series: string
    financialYear: string
    lastNumber: number
    lastDate: string
    workspaceId: string
  }
  numberSignups: {
    id: string
    memberId: string
    sessionId: string
    keepsPhoneApp: boolean
    stateHash: Buffer
    step: string
    problem: string | null
    problemText: string | null
    attempt: string | null
    attemptUntil: Date | null
    codeSealed: Buffer | null
    tokenSealed: Buffer | null
    pinSealed: Buffer | null
    numbers: DefaultedJsonColumn
    operatorId: string | null
    phoneNumberId: string | null
    createdAt: Date
    updatedAt: Date
    expiresAt: Date
    workspaceId: string
  }
  operatorUpdates: {
    id: string
    phoneNumberId: string | null
    body: JsonColumn | null
    reference: string | null
    runAt: Date
    runOffsetMs: number | null
    attempts: Generated<number>
    failedAt: Date | null
    lastError: string | null
    receivedAt: Date
    workspaceId: string
    raw: Buffer | null
    signers: string[] | null
    sender: string | null
    holds: Generated<boolean>
    identifiers: string[] | null
    messageIds: string[] | null
  }
  orders: {
    id: string
    integration: string
    provider: string
    shopId: string
    reference: string
    externalId: string | null
    contactId: string | null
    phone: string | null
    customerName: string | null
    total: number | null
    currency: string | null
    url: string | null
    itemCount: number | null
    cashOnDelivery: boolean
    placedAt: Date | null
    paidAt: Date | null
    shippedAt: Date | null
    cancelledAt: Date | null
    reportedAt: Date
    erased: Generated<boolean>
    createdAt: Date
    workspaceId: string
    openAt: Date | null
  }
  passkeys: {
    id: string
    accountId: string
    credentialId: Buffer
    publicKey: Buffer
    counter: number
    transports: string[]
    name: string
    createdAt: Date
    lastUsedAt: Date | null
  }
  paymentGateways: {
    workspaceId: string
    provider: string
    keyId: string
    keySecretSealed: Buffer | null
    webhookSecretSealed: Buffer | null
    configuration: string | null
    configurationStatus: string | null
    importer: JsonColumn | null
    connectedAt: Date
  }
  paymentLinks: {
    id: string
    subjectId: string
    followJob: string
    status: string
    amountPaise: number
    description: string
    expiresAt: Date
    provider: string
    linkAskedAt: Date | null
    linkId: string | null
    linkUrl: string | null
    failure: string | null
    paidAt: Date | null
    paidPaise: number | null
    paymentMethod: string | null
    paymentId: string | null
    furtherPayments: DefaultedJsonColumn
    createdAt: Date
    updatedAt: Date
    workspaceId: string
  }
  paymentRequests: {
    id: string
    conversationId: string
    contactId: string
    phoneNumberId: string
    messageId: string
    referenceId: string
    status: string
    items: JsonColumn
    shippingPaise: number
    totalPaise: number
    body: string
    expiresAt: Date | null
    provider: string
    configuration: string | null
    linkAskedAt: Date | null
    linkId: string | null
    linkUrl: string | null
    failure: JsonColumn | null
    sentAt: Date | null
    paidAt: Date | null
    paidPaise: number | null
    paymentMethod: string | null
    paymentId: string | null
    refundedPaise: Generated<number>
    furtherPayments: DefaultedJsonColumn
    createdAt: Date
    updatedAt: Date
    workspaceId: string
  }
  phoneNumbers: {
    id: string
    number: string
    displayName: string
    operator: string
    state: Generated<string>
    stateReason: string | null
    quality: Generated<string>
    accountId: string
    operatorId: string
    tokenSealed: Buffer
    appSecretSealed: Buffer
    verifyTokenHash: Buffer
    createdAt: Date
    workspaceId: string
    username: string | null
    notifiedAt: DefaultedJsonColumn
    throughput: Generated<number>
    messagingLimit: string | null
    stateCode: number | null
    stateAt: Date | null
    businessInitiatedBlockedUntil: Date | null
    customerInitiatedBlockedUntil: Date | null
    dailyNewRecipients: Generated<number>
    historyState: string | null
    historyProgress: number | null
    historyPhase: number | null
    historyStored: Generated<number>
    historyLeftOut: Generated<number>
    historyReason: string | null
    historyRequestedAt: Date | null
    historyAt: Date | null
  }
  pipelineStages: {
    id: string
    name: string
    color: string
    kind: string
    position: number
    createdAt: Date
    removedAt: Date | null
    replacedBy: string | null
    workspaceId: string
  }
  pricedDays: {
    day: string
    market: string
    category: string
    billing: string
    messages: number
    workspaceId: string
  }
  pricedDeltas: {
    id: string
    day: string
    market: string
    category: string
    billing: string
    messages: number
    workspaceId: string
  }
  pushSubscriptions: {
    id: string
    memberId: string
    sessionId: string
    endpointHash: Buffer
    targetSealed: Buffer
    device: string
    createdAt: Date
    workspaceId: string
  }
  quickReplies: {
    id: string
    shortcut: string
    shortcutKey: string
    text: string
    createdAt: Date
    updatedAt: Date
    workspaceId: string
  }
  rates: {
    market: string
    category: string
    validFrom: string
    millionths: number
    currency: string
    importedAt: Date
    workspaceId: string
  }
  ratingSettings: {
    workspaceId: string
    enabled: boolean
    question: string
    templateId: string | null
    delayMinutes: number
    updatedAt: Date
  }
  receivedMoney: {
    id: string
    source: string
    sourceId: string
    contactId: string | null
    leadId: string | null
    amountMinor: number
    currency: string
    receivedAt: Date
    voidedAt: Date | null
    workspaceId: string
  }
  referenceVersions: {
    workspaceId: string
    version: string
  }
  reviewRequests: {
    id: string
    about: string
    subjectId: string
    subjectLabel: string
    contactId: string | null
    customerName: string | null
    via: string
    status: string
    failure: string | null
    messageId: string | null
    publicToken: string | null
    runAt: Date | null
    runOffsetMs: number | null
    sentAt: Date | null
    expiresAt: Date | null
    answeredAt: Date | null
    createdAt: Date
    workspaceId: string
  }
  reviewSettings: {
    workspaceId: string
    settings: JsonColumn
    updatedAt: Date
  }
  reviews: {
    id: string
    requestId: string
    rating: number
    comment: string | null
    low: boolean
    about: string
    subjectId: string
    subjectLabel: string
    contactId: string | null
    customerName: string | null
    answeredAt: Date
    workspaceId: string
  }
  salesDocumentMonths: {
    month: string
    documents: number
    workspaceId: string
  }
  salesDocumentPdfs: {
    documentId: string
    version: number
    fingerprint: string
    bytes: Buffer
    mediaId: string | null
    phoneNumberId: string | null
    createdAt: Date
    workspaceId: string
  }
  salesDocumentVersions: {
    documentId: string
    version: number
    document: JsonColumn
    createdAt: Date
    workspaceId: string
  }
  salesDocuments: {
    id: string
    kind: string
    documentType: string
    number: string | null
    status: string
    version: Generated<number>
    contactId: string | null
    customer: JsonColumn
    givenPlaceOfSupply: string | null
    placeOfSupply: string | null
    supplyType: string
    reverseCharge: boolean
    issueDate: string | null
    dueDate: string | null
    validUntil: string | null
    reference: string | null
    currency: string
    lines: JsonColumn
    taxableMinor: number
    cgstMinor: number
    sgstMinor: number
    igstMinor: number
    cessMinor: number
    taxMinor: number
    roundOffMinor: number
    totalMinor: number
    receivedMinor: Generated<number>
    tdsMinor: Generated<number>
    creditedMinor: Generated<number>
    balanceMinor: number | null
    basis: JsonColumn | null
    fromProforma: JsonColumn | null
    fromQuotation: JsonColumn | null
    invoiceId: string | null
    bookingId: string | null
    notes: string | null
    terms: string | null
    financialYear: string | null
    cancelReason: string | null
    acceptedBy: string | null
    declineReason: string | null
    createdAt: Date
    updatedAt: Date
    issuedAt: Date | null
    sentAt: Date | null
    paidAt: Date | null
    cancelledAt: Date | null
    acceptedAt: Date | null
    declinedAt: Date | null
    publicToken: string | null
    strippedAt: Date | null
    workspaceId: string
  }
  salesLogos: {
    mediaId: string
    mimeType: string
    bytes: Buffer
    createdAt: Date
    workspaceId: string
  }
  salesSettings: {
    workspaceId: string
    settings: JsonColumn
    updatedAt: Date
  }
  savedViews: {
    id: string
    page: string
    memberId: string | null
    name: string
    filter: JsonColumn | null
    chats: JsonColumn | null
    q: string | null
    sort: string | null
    dir: string | null
    createdAt: Date
    updatedAt: Date
    workspaceId: string
  }
  segments: {
    id: string
    name: string
    definition: JsonColumn
    matched: number | null
    matchedAt: Date | null
    createdAt: Date
    updatedAt: Date
    workspaceId: string
  }
  sentFiles: {
    messageId: string
    operatorId: string
    workspaceId: string
  }
  sessions: {
    id: string
    accountId: string
    tokenHash: Buffer
    issuedAt: Date
    previousHash: Buffer | null
    previousUntil: Date | null
    method: string
    strong: boolean
    confirmedAt: Date
    lastSeenAt: Date
    address: string
    device: string
    createdAt: Date
    endedAt: Date | null
    endedBecause: string | null
  }
  shopDeliveries: {
    id: string
    integration: string
    provider: string
    shopId: string
    deliveryId: string
    topic: string
    reference: string | null
    types: Generated<string[]>
    outcome: string | null
    repeats: Generated<number>
    raw: Buffer | null
    runAt: Date
    runOffsetMs: number | null
    attempts: Generated<number>
    failedAt: Date | null
    lastError: string | null
    receivedAt: Date
    workspaceId: string
  }
  signInFailures: {
    subject: Buffer
    address: string
    failures: number
    firstAt: Date
    lastAt: Date
    waitUntil: Date | null
  }
  signInTokens: {
    hash: Buffer
    purpose: string
    accountId: string | null
    memberId: string | null
    challenge: string | null
    expiresAt: Date
    createdAt: Date
  }
  simulatorObjects: {
    kind: string
    id: string
    accountId: string
    value: JsonColumn
    bytes: Buffer | null
    expiresAt: Date | null
    createdAt: Date
    workspaceId: string
  }
  socialAccounts: {
    id: string
    network: string
    networkId: string
    scopedId: string | null
    username: string
    name: string | null
    state: string
    stateReason: string | null
    tokenSealed: Buffer | null
    appSecretSealed: Buffer | null
    verifyTokenHash: Buffer | null
    tokenExpiresAt: Date | null
    refreshDueAt: Date | null
    connectedAt: Date
    createdAt: Date
    workspaceId: string
  }
  socialComments: {
    id: string
    accountId: string
    networkId: string | null
    mediaId: string | null
    parentId: string | null
    kind: string
    authorId: string | null
    username: string | null
    text: string | null
    permalink: string | null
    live: Generated<boolean>
    hidden: Generated<boolean>
    repliedAt: Date | null
    commentedAt: Date
    createdAt: Date
    workspaceId: string
  }
  socialConversations: {
    id: string
    accountId: string
    contactId: string
    leadId: string | null
    lastInboundAt: Date | null
    lastMessageAt: Date | null
    activityId: string
    createdAt: Date
    workspaceId: string
  }
  socialMedia: {
    id: string
    state: string
    kind: string
    mimeType: string
    sizeBytes: number
    sha256: string
    width: number
    height: number
    createdAt: Date
    workspaceId: string
  }
  socialMessageChanges: {
    id: string
    mid: string
    body: JsonColumn
    createdAt: Date
    workspaceId: string
  }
  socialMessageWords: {
    id: string
    words: string
    workspaceId: string
  }
  socialMessages: {
    id: string
    conversationId: string
    direction: string
    mid: string | null
    part: Generated<number>
    type: string
    content: JsonColumn
    originalContent: JsonColumn | null
    status: string
    replyTo: string | null
    reaction: string | null
    requestKey: string | null
    createdAt: Date
    sentAt: Date | null
    readAt: Date | null
    editedAt: Date | null
    edition: Generated<number>
    deletedAt: Date | null
    workspaceId: string
    sentBy: string | null
    sourceKind: string | null
    sourceId: string | null
    sourceName: string | null
    indexed: Generated<boolean>
  }
  socialPermalinks: {
    mediaId: string
    permalink: string | null
    createdAt: Date
    workspaceId: string
  }
  socialPostMedia: {
    postId: string
    position: number
    mediaId: string
    containerId: string | null
    workspaceId: string
  }
  socialPosts: {
    id: string
    kind: string
    caption: string
    status: string
    scheduledAt: Date | null
    runId: string | null
    publishingSince: Date | null
    accountId: string | null
    containerId: string | null
    containerMadeAt: Date | null
    publishRequestedAt: Date | null
    tries: Generated<number>
    networkMediaId: string | null
    permalink: string | null
    publishedAt: Date | null
    failure: string | null
    failureCode: number | null
    createdAt: Date
    updatedAt: Date
    workspaceId: string
  }
  socialPrivateReplies: {
    commentId: string
    text: string
    status: string
    messageId: string
    mid: string | null
    requestKey: string | null
    sentBy: string | null
    sourceKind: string | null
    sourceId: string | null
    sourceName: string | null
    createdAt: Date
    sentAt: Date | null
    workspaceId: string
  }
  socialReplies: {
    id: string
    commentId: string
    text: string
    status: string
    networkId: string | null
    requestKey: string | null
    createdAt: Date
    sentAt: Date | null
    workspaceId: string
  }
  socialUpdates: {
    id: string
    accountId: string
    raw: Buffer
    runAt: Date
    leasedUntil: Date | null
    attempts: Generated<number>
    failedAt: Date | null
    lastError: string | null
    receivedAt: Date
    workspaceId: string
  }
  socialWaitingReplies: {
    networkId: string
    threadId: string
    accountId: string
    text: string
    sentAt: Date
    createdAt: Date
    workspaceId: string
  }
  tagChanges: {
    id: string
    oldName: string
    newName: string | null
    fence: number | null
    reached: string | null
    createdAt: Date
    workspaceId: string
  }
  tags: {
    id: string
    name: string
    color: string | null
    createdAt: Date
    updatedAt: Date
    workspaceId: string
  }
  taskChanges: {
    id: Generated<string>
    status: string
    assignee: string
    amount: number
    workspaceId: string
  }
  taskCounts: {
    status: string
    assignee: string
    amount: number
    workspaceId: string
  }
  tasks: {
    id: string
    leadId: string
    type: string
    title: string
    dueAt: Date
    priority: string
    status: Generated<string>
    assigneeId: string | null
    completedAt: Date | null
    outcome: string | null
    createdAt: Date
    updatedAt: Date
    workspaceId: string
    remindedFor: Date | null
  }
  teamMembers: {
    teamId: string
    memberId: string
    turn: Generated<number>
    workspaceId: string
  }
  teamNumbers: {
    phoneNumberId: string
    teamId: string
    workspaceId: string
  }
  teams: {
    id: string
    name: string
    nameKey: string
    description: string | null
    assignment: string
    capacity: number | null
    createdAt: Date
    updatedAt: Date
    workspaceId: string
  }
  templateDays: {
    day: string
    phoneNumberId: string
    name: string
    language: string
    cause: number
    sent: Generated<number>
    delivered: Generated<number>
    read: Generated<number>
    failed: Generated<number>
    workspaceId: string
  }
  templateDeltas: {
    id: string
    day: string
    phoneNumberId: string
    name: string
    language: string
    cause: number
    sent: number
    delivered: number
    read: number
    failed: number
    workspaceId: string
  }
  templates: {
    id: string
    accountId: string
    name: string
    language: string
    category: string
    status: string
    metaTemplateId: string | null
    parameterFormat: string
    components: JsonColumn
    rejectedReason: string | null
    quality: Generated<string>
    submission: string
    attempt: string | null
    submittingUntil: Date | null
    syncedAt: Date
    statusReportedAt: Date | null
    categoryReportedAt: Date | null
    componentsReportedAt: Date | null
    createdAt: Date
    updatedAt: Date
    workspaceId: string
    qualityReportedAt: Date | null
  }
  unreadUpdates: {
    id: string
    phoneNumberId: string
    body: JsonColumn
    fields: string[]
    identifiers: string[]
    receivedAt: Date
    workspaceId: string
  }
  uploads: {
    id: string
    large: boolean
    leasedUntil: Date
    workspaceId: string
  }
  walletEntries: {
    id: string
    kind: string
    amountMinor: number
    balanceAfterMinor: number
    description: string
    reference: string | null
    createdAt: Date
    workspaceId: string
  }
  wallets: {
    workspaceId: string
    enabled: boolean
    enforced: boolean
    currency: string
    balanceMinor: Generated<number>
    chargedThrough: string
    runAt: Date | null
    runOffsetMs: number | null
  }
  webhookEndpoints: {
    id: string
    url: string
    events: string[] | null
    active: Generated<boolean>
    disabledAt: Date | null
    disabledReason: string | null
    keyId: string | null
    secretSealed: Buffer
    oldSecretSealed: Buffer | null
    oldSecretExpiresAt: Date | null
    failingSince: Date | null
    failures: Generated<number>
    createdAt: Date
    updatedAt: Date
    workspaceId: string
    probeAt: Date | null
    headersSealed: Buffer | null
  }
  weeklyMailChoices: {
    memberId: string
    enabled: boolean
    token: string
    updatedAt: Date
    workspaceId: string
  }
  weeklyMails: {
    workspaceId: string
    runAt: Date
    lastWeek: string | null
  }
  workspaceMoves: {
    id: string
    direction: string
    movedWorkspaceId: string
    phase: string
    counterpart: string
    movedTo: JsonColumn | null
    sharesFiles: boolean
    copiedTo: string | null
    eraseAfter: Date | null
    startedAt: Date
    fencedAt: Date | null
    endedAt: Date | null
  }
  workspaceSecurity: {
    workspaceId: string
    requireSecondFactor: Generated<boolean>
    idleDays: Generated<number>
    absoluteDays: Generated<number>
  }
  workspaceUsage: {
    workspaceId: string
    contacts: number | null
    month: Generated<string>
    messages: Generated<number>
  }
  workspaces: {
    id: string
    name: string
    plan: string
    sandbox: Generated<boolean>
    countryCode: Generated<string>
    timezone: Generated<string>
    clockOffsetMs: Generated<number>
    clockMover: string | null
    clockMovedUntil: Date | null
    leadCapture: Generated<boolean>
    captureToken: string
    socialAddon: Generated<boolean>
    socialEnabled: Generated<boolean>
    modules: Generated<string[]>
    contactLimit: number | null
    messageAllowance: number | null
    createdAt: Date
    marketingCap: Generated<number>
    coolOffDays: Generated<number>
    followUpHours: Generated<number>
    messageDays: Generated<number>
    walletEmpty: Generated<boolean>
    trialEndsAt: Date | null
    trialFallsTo: string | null
    trialUsed: Generated<boolean>
    pausedAt: Date | null
    fenced: Generated<boolean>
    movedTo: JsonColumn | null
    language: Generated<string>
    detailsHiddenFrom: Generated<string[]>
    messagesSince: Date | null
  }
}
