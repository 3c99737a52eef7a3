export declare function denseStyles(code: string): string;
