import { join } from "node:path"

export const documentsFolder = (home: string): string => join(home, "documents")
