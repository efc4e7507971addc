/** The page's program and style, each as one text. */
export interface AppFiles {
  readonly script: string
  readonly style: string
}

/** Not literals: the bundler is no source of the package, and the compiler would follow it there. */
const bundler = new URL("../../../bundleApp.ts", import.meta.url).href
const built = new URL("../../../dist/server/app/appFiles.js", import.meta.url).href

interface Module {
  readonly appFiles: () => Promise<AppFiles>
}

/**
 * Bundled when first asked for in a checkout; without its development dependencies, what was built there last. A build
 * has the texts in place of this module: see `bundleApp.ts`.
 */
export const appFiles = async (): Promise<AppFiles> => {
  const module: Module = await import(bundler).catch(() => import(built))
  return module.appFiles()
}
