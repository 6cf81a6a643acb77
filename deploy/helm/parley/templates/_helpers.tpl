{{/* The name of all objects: that of the release, with the chart's name unless it is there already. */}}
{{- define "parley.name" -}}
{{- if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "parley.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "parley.labels" -}}
{{ include "parley.selector" . }}
app.kubernetes.io/version: {{ .Values.image.tag | default .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{- define "parley.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}

{{/* The name of the Secret with the settings. Fails if the settings that every pod needs are missing. */}}
{{- define "parley.secretName" -}}
{{- if .Values.existingSecret -}}
{{- .Values.existingSecret -}}
{{- else -}}
{{- if not (or .Values.secrets.DATABASE_URL .Values.database.hosts) -}}
{{- fail "Set existingSecret, or secrets.DATABASE_URL (or database.hosts) and secrets.PARLEY_SECRET_KEY. The chart does not install a database." -}}
{{- end -}}
{{- if not .Values.secrets.PARLEY_SECRET_KEY -}}
{{- fail "Set secrets.PARLEY_SECRET_KEY to at least 32 random characters. All pods need the same key." -}}
{{- end -}}
{{- include "parley.name" . -}}
{{- end -}}
{{- end -}}

{{/* The address of the database: a dict of `root` and `hosts`. It has no password: the driver reads PGPASSWORD. */}}
{{- define "parley.databaseUrl" -}}
{{- $database := .root.Values.database -}}
{{- $parameters := dict -}}
{{- if gt (len .hosts) 1 -}}
{{- $_ := set $parameters "target_session_attrs" "read-write" -}}
{{- end -}}
{{- if $database.caSecret -}}
{{- $_ := set $parameters "sslmode" "verify-full" -}}
{{- $_ := set $parameters "sslrootcert" (printf "/etc/parley/database/%s" $database.caKey) -}}
{{- end -}}
{{- range $name, $value := $database.parameters -}}
{{- $_ := set $parameters $name $value -}}
{{- end -}}
{{- $pairs := list -}}
{{- range $name, $value := $parameters -}}
{{- $pairs = append $pairs (printf "%s=%s" ($name | urlquery) ($value | urlquery)) -}}
{{- end -}}
{{- printf "postgres://%s@%s/%s" ($database.user | urlquery | replace "+" "%20") (join "," .hosts) ($database.name | urlquery | replace "+" "%20") -}}
{{- if $pairs }}?{{ join "&" $pairs }}{{ end -}}
{{- end -}}

{{/* The environment of every container. */}}
{{- define "parley.environment" -}}
envFrom:
  - secretRef:
      name: {{ include "parley.secretName" . }}
env:
  {{- if .Values.database.hosts }}
  - name: DATABASE_URL
    value: {{ include "parley.databaseUrl" (dict "root" . "hosts" .Values.database.hosts) | quote }}
  {{- if .Values.database.directHosts }}
  - name: PARLEY_LISTEN_DATABASE_URL
    value: {{ include "parley.databaseUrl" (dict "root" . "hosts" .Values.database.directHosts) | quote }}
  {{- end }}
  - name: PGPASSWORD
    valueFrom:
      secretKeyRef:
        name: {{ required "Set database.passwordSecret to the name of the Secret with the password of the database user." .Values.database.passwordSecret | quote }}
        key: {{ .Values.database.passwordKey | quote }}
  {{- end }}
  - name: PARLEY_SITE_URL
    value: {{ .Values.siteUrl | quote }}
  {{- with .Values.trustProxy }}
  - name: PARLEY_TRUST_PROXY
    value: {{ . | quote }}
  {{- end }}
  {{- with .Values.media.s3Url }}
  - name: PARLEY_MEDIA_URL
    value: {{ . | quote }}
  {{- end }}
  - name: NODE_COMPILE_CACHE
    value: /tmp/compiled
  {{- range $name, $value := .Values.settings }}
  - name: {{ $name }}
    value: {{ $value | quote }}
  {{- end }}
{{- end -}}

{{/* The certificate of the database's authority, as a mount of a container and as a volume of its pod. */}}
{{- define "parley.databaseMount" -}}
{{- if and .Values.database.hosts .Values.database.caSecret -}}
- { name: database-authority, mountPath: /etc/parley/database, readOnly: true }
{{- end -}}
{{- end -}}

{{- define "parley.databaseVolume" -}}
{{- if and .Values.database.hosts .Values.database.caSecret -}}
- name: database-authority
  secret:
    secretName: {{ .Values.database.caSecret | quote }}
    items:
      - { key: {{ .Values.database.caKey | quote }}, path: {{ .Values.database.caKey | quote }} }
{{- end -}}
{{- end -}}

{{- define "parley.containerSecurity" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
{{- end -}}

{{- define "parley.podSecurity" -}}
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile:
    type: RuntimeDefault
{{- end -}}

{{/* A Deployment of one role: a dict of `root`, `role`, and `values`. */}}
{{- define "parley.deployment" -}}
{{- $root := .root -}}
{{- $values := .values -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "parley.name" $root }}-{{ .role }}
  labels:
    {{- include "parley.labels" $root | nindent 4 }}
    app.kubernetes.io/component: {{ .role }}
spec:
  {{- if not $values.autoscaling.enabled }}
  replicas: {{ $values.replicas }}
  {{- end }}
  # The old pods keep working until new ones are ready.
  strategy:
    type: RollingUpdate
    rollingUpdate:
      maxUnavailable: 0
      maxSurge: 1
  selector:
    matchLabels:
      {{- include "parley.selector" $root | nindent 6 }}
      app.kubernetes.io/component: {{ .role }}
  template:
    metadata:
      labels:
        {{- include "parley.labels" $root | nindent 8 }}
        app.kubernetes.io/component: {{ .role }}
        {{- with $root.Values.podLabels }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      annotations:
        # New secrets start new pods.
        checksum/secrets: {{ $root.Values.secrets | toJson | sha256sum }}
        {{- with $root.Values.podAnnotations }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
    spec:
      automountServiceAccountToken: false
      enableServiceLinks: false
      terminationGracePeriodSeconds: {{ $root.Values.terminationGracePeriodSeconds }}
      {{- with $root.Values.image.pullSecrets }}
      imagePullSecrets:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- include "parley.podSecurity" $root | nindent 6 }}
      topologySpreadConstraints:
        {{- range $key := list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
        - maxSkew: 1
          topologyKey: {{ $key }}
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels:
              {{- include "parley.selector" $root | nindent 14 }}
              app.kubernetes.io/component: {{ $.role }}
        {{- end }}
      {{- with $root.Values.nodeSelector }}
      nodeSelector:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $root.Values.tolerations }}
      tolerations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $root.Values.affinity }}
      affinity:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      containers:
        - name: parley
          image: {{ include "parley.image" $root | quote }}
          imagePullPolicy: {{ $root.Values.image.pullPolicy }}
          {{- include "parley.environment" $root | nindent 10 }}
            - name: PARLEY_ROLES
              value: {{ .role }}
          ports:
            - name: http
              containerPort: 4000
          startupProbe:
            httpGet: { path: /healthz, port: http }
            periodSeconds: 2
            failureThreshold: 60
          readinessProbe:
            httpGet: { path: /readyz, port: http }
            periodSeconds: 5
            timeoutSeconds: 5
          livenessProbe:
            httpGet: { path: /healthz, port: http }
            periodSeconds: 10
            timeoutSeconds: 5
            failureThreshold: 6
          {{- if gt (int $root.Values.preStopSeconds) 0 }}
          lifecycle:
            preStop:
              exec:
                command: [sleep, {{ $root.Values.preStopSeconds | quote }}]
          {{- end }}
          resources:
            {{- toYaml $values.resources | nindent 12 }}
          {{- include "parley.containerSecurity" $root | nindent 10 }}
          volumeMounts:
            - { name: data, mountPath: /data }
            - { name: tmp, mountPath: /tmp }
            {{- with include "parley.databaseMount" $root }}
            {{- . | nindent 12 }}
            {{- end }}
      volumes:
        {{- with include "parley.databaseVolume" $root }}
        {{- . | nindent 8 }}
        {{- end }}
        - name: tmp
          emptyDir: {}
        - name: data
          {{- if $root.Values.media.s3Url }}
          emptyDir: {}
          {{- else }}
          persistentVolumeClaim:
            claimName: {{ $root.Values.media.persistence.existingClaim | default (printf "%s-media" (include "parley.name" $root)) }}
          {{- end }}
{{- end -}}
