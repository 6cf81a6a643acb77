-- Direct chats that can be answered now: their windows are not watched, so they are not in conversations_window_due_in_workspace.
create index concurrently conversations_photo_window on conversations (workspace_id, window_expires_at) where channel = 'social';
