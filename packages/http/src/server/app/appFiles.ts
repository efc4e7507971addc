/** The script and the style sheet of a page. */
export interface PageFiles {
  readonly script: string
  readonly style: string
}

/** `app` is the wallet page, `admin` the operator console. */
export type PageName = "app" | "admin"

export type AppFiles = Readonly<Record<PageName, PageFiles>>

/**
 * Computed at run time, because the compiler would follow a literal import, and the published package does not contain
 * the bundler.
 */
const bundler = new URL("../../../bundleApp.ts", import.meta.url).href
const builtModule = new URL("../../../dist/server/app/appFiles.js", import.meta.url).href

interface Module {
  readonly appFiles: () => Promise<AppFiles>
}

/**
 * Returns the page files. A checkout bundles them at the first request, or uses the last build if the development
 * dependencies are not installed. In a published build, a module with the texts replaces this one (see `bundleApp.ts`).
 */
export const appFiles = async (): Promise<AppFiles> => {
  const module: Module = await import(bundler).catch(() => import(builtModule))
  return module.appFiles()
}
