/** Runs in the browser: a button for each method of login and logout, and the person's data as text. */
const { authority, clientId } = document.body.dataset
const manager = new oidc.UserManager({
  authority,
  client_id: clientId,
  redirect_uri: `${location.origin}/callback`,
  popup_redirect_uri: `${location.origin}/popup`,
  silent_redirect_uri: `${location.origin}/silent`,
  post_logout_redirect_uri: `${location.origin}/`,
  popup_post_logout_redirect_uri: `${location.origin}/popup`,
  response_type: 'code',
  scope: 'openid profile email offline_access',
})

const shown = document.body.appendChild(document.createElement('pre'))

/** @param how the method used; reports when the access token has changed. */
async function show(how, before) {
  const user = await manager.getUser()
  const { sub, name, email } = user?.profile ?? {}
  const isNew = before !== undefined && user?.access_token !== before
  shown.textContent = JSON.stringify({ how, sub, name, email, isNew })
}

function button(name, run) {
  const element = document.body.appendChild(document.createElement('button'))
  element.textContent = name
  element.addEventListener('click', async () => {
    shown.textContent = ''
    try {
      const before = (await manager.getUser())?.access_token
      await run()
      await show(name, before)
    } catch (error) {
      shown.textContent = JSON.stringify({ how: name, error: String(error) })
    }
  })
}

button('redirect', () => manager.signinRedirect())
button('popup', () => manager.signinPopup())
button('refresh', () => manager.signinSilent())
button('iframe', () => manager.signinSilent({ forceIframeAuth: true }))
button('log out', () => manager.signoutRedirect())
button('log out in a popup', () => manager.signoutPopup())

// Other libraries rely on window.opener; this one has a fallback since it may be gone.
if (location.pathname === '/popup') localStorage.setItem('keptOpener', String(window.opener !== null))

try {
  if (location.pathname === '/callback') await manager.signinRedirectCallback()
  else if (location.pathname === '/silent') await manager.signinSilentCallback()
  else if (location.pathname === '/popup' && /[?&](code|error)=/.test(location.search))
    await manager.signinPopupCallback()
  else if (location.pathname === '/popup') await manager.signoutPopupCallback()
  await show(location.pathname)
} catch (error) {
  shown.textContent = JSON.stringify({ how: location.pathname, error: String(error) })
}
