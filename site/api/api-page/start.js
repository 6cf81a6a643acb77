// Shows the description of this installation, and sends requests to it. A copy of the site on another server
// shows the description that it contains, and sends nothing.
async function readDescription() {
  try {
    // The site is at {site}/docs, and the API at {site}/api/v1.
    const installation = new URL('../', new URL('.', location.href))
    const answer = await fetch(new URL('api/v1/openapi.json', installation))
    if (answer.ok)
      return {
        spec: { ...(await answer.json()), servers: [{ url: new URL('api/v1', installation).href }] },
        isLive: true,
      }
  } catch {
    // There is no installation at this address.
  }
  const answer = await fetch(new URL('openapi.json', location.href))
  return { spec: await answer.json(), isLive: false }
}

async function showReference() {
  const place = document.getElementById('reference')
  try {
    const { spec, isLive } = await readDescription()
    // The script of Swagger UI creates this function.
    globalThis.SwaggerUIBundle({
      spec,
      domNode: place,
      deepLinking: true,
      // Showing all operations at the start would take seconds.
      docExpansion: 'none',
      defaultModelsExpandDepth: 0,
      filter: true,
      persistAuthorization: false,
      showExtensions: true,
      tryItOutEnabled: isLive,
      supportedSubmitMethods: isLive ? ['get', 'post', 'put', 'patch', 'delete'] : [],
      validatorUrl: null,
    })
  } catch {
    place.textContent = 'The description of the API could not be loaded. Reload the page.'
  }
}

void showReference()
